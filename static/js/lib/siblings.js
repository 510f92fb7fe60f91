/** Messages between the tabs of this browser that have the same task open. */

export class Siblings {
  /** @param {string} task @param {{ onMet: () => void, onOver: (state: string) => void }} listener */
  constructor(task, { onMet, onOver }) {
    this.channel = new BroadcastChannel(`precis:task:${task}`);
    this.channel.onmessage = ({ data }) => {
      if (data === "submitted" || data === "skipped") return onOver(data);
      if (data === "opened") this.tell("here");
      onMet();
    };
    this.tell("opened");
  }

  /** @param {"opened" | "here" | "submitted" | "skipped"} message */
  tell(message) {
    this.channel.postMessage(message);
  }
}
