/** Other tabs of this browser that have the same task open. */

export class Siblings {
  /** @param {string} task @param {{ onMet: () => void, onSubmitted: () => void }} listener */
  constructor(task, { onMet, onSubmitted }) {
    this.channel = new BroadcastChannel(`precis:task:${task}`);
    this.channel.onmessage = ({ data }) => {
      if (data === "submitted") return onSubmitted();
      if (data === "opened") this.tell("here");
      onMet();
    };
    this.tell("opened");
  }

  /** @param {"opened" | "here" | "submitted"} word */
  tell(word) {
    this.channel.postMessage(word);
  }
}
