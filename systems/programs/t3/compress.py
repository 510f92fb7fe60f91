"""Compression of texts by rules on trees, sentence by sentence."""

from __future__ import annotations

from measures.core.undefined import Undefined
from measures.text.normalization import length
from systems.programs.baselines import Compress, of_language, or_first
from systems.programs.parses import Parse
from systems.programs.resources import Resources
from systems.programs.t3.decode import Beam, Decoder, Made
from systems.programs.t3.grammar import Grammar
from systems.programs.texts import Output, Range, Source, joined

MOST_WORDS = 80
"""Of a sentence."""
MOST_ITEMS = 1_000
"""Of a node."""


def t3(parse: Parse, decoder: Decoder) -> Compress:
    """Return the system of Cohn and Lapata 2008 on trees of Universal Dependencies.

    Parameters
    ----------
    parse : callable
        Parses a sentence.
    decoder : Decoder
        Finds what a sentence may become.

    Returns
    -------
    callable
        The system. Of each sentence it takes the best output within the range, else the longest below it. Where rules
        make a sentence not short enough, it gives the `first` words.
    """

    def compress(source: Source, range_: Range, seed: int) -> Output | Undefined:
        parsed = [parse(sentence) for sentence in source.sentences]
        if any(len(sentence.words) > MOST_WORDS for sentence in parsed):
            return or_first("", source, range_, seed, f"a sentence has more than {MOST_WORDS} words")
        parts = list[str]()
        for number, (text, sentence) in enumerate(zip(source.sentences, parsed, strict=True), start=1):
            most = range_.most_length(text)
            if number == len(parsed):  # it also has what the others left
                most = range_.most_length(source.text) - sum(length(part) + 1 for part in parts)
            made = decoder.best(sentence) if sentence.words else []
            parts.append(chosen(made, range_.least_length(text), most))
        note = "no rule makes a sentence short enough"
        return or_first(joined(parts) if all(parts) else "", source, range_, seed, note)

    return compress


def chosen(made: list[Made], least: int, most: int) -> str:
    """Return the best output within a range, else the longest below it; nothing if all are longer.

    Parameters
    ----------
    made : list of Made
        The best first.
    least, most : int
        Characters.

    Returns
    -------
    str
        The output.
    """
    lengths = [length(each.text) for each in made]
    for each, own in zip(made, lengths, strict=True):
        if least <= own <= most:
            return each.text
    shorter = [place for place, own in enumerate(lengths) if own < least]
    return made[max(shorter, key=lambda place: (lengths[place], -place))].text if shorter else ""


def compressor(known: Resources) -> Compress:
    """Return the system as it was trained.

    Parameters
    ----------
    known : Resources
        With a parser and the model.

    Returns
    -------
    callable
        The system.

    Raises
    ------
    ValueError
        If it was not trained, or the model is damaged or of something else.
    """
    model = known.trained
    if model is None:
        raise ValueError("t3 wants to be trained first: there is no model")
    if model.kind != "t3" or model.trigrams is None:
        raise ValueError("the model is none of t3 with its language model")
    grammar, weights = Grammar.from_rows(model.rules), model.arrays.get("weights")
    if weights is None or model.vocabulary != grammar.names or weights.shape != (len(grammar.names),):
        raise ValueError("the weights of t3 are not those of the features of its rules")
    try:
        items, in_bin = (int(model.parameters[name]) for name in ("items", "in_bin"))
    except (KeyError, ValueError) as fault:
        raise ValueError(f"the parameters of t3: {fault}") from fault
    if not (1 <= items <= MOST_ITEMS and 1 <= in_bin <= MOST_ITEMS):
        raise ValueError(f"the parameters of t3: items and in_bin must be 1 to {MOST_ITEMS:,}")
    system = t3(known.parser(), Decoder(grammar, weights, model.trigrams, Beam(items, in_bin)))
    return of_language(system, model.language)
