"""Settings of metrics as words of a command line."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from typing import get_args

from measures.metrics.compute import score
from measures.metrics.counting.reference_sets import Comparisons
from measures.metrics.families.bleu import ORDERS, corpus_bleu
from measures.metrics.options import (
    GROUNDS,
    MATCHINGS,
    REFERENCE_WEIGHTS,
    SIMILARITIES,
    SMOOTHINGS,
    Options,
    ReferenceChoice,
)
from measures.metrics.registry import METRICS, metrics_named
from measures.metrics.words.preprocessing import Analysis
from measures.metrics.words.tokens import Method, Stemmer, Tokenizer
from measures.text.spacy_models import DEFAULT_MODEL

WITHOUT_PARSER = (
    f"PARSE-2 wants a parser: install one (python -m spacy download {DEFAULT_MODEL}), "
    "or name a pipeline of spaCy with --parser"
)

WITHOUT_VECTORS = "wants vectors of words: name a file of them with --embeddings"
WITHOUT_ENCODER = "wants a model that reads texts: name its folder with --encoder"
USUAL_OF_VECTORS = tuple(f"{units}+Recall+MULT-MAX" for units in ("WE-1", "WE-2", "WE-SU4"))
"""What is computed beside the eighty where vectors are given and no metric is named."""

USUAL_OF_ENCODER = ("CONTEXT+F-1+MULT-MAX",)
"""The same where a model is given."""


def add_settings(parser: argparse.ArgumentParser) -> None:
    """Add what may be set to a parser of arguments.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        The parser.
    """
    parser.add_argument("--metrics", nargs="+", metavar="NAME", help="default: all that can be computed")
    parser.add_argument(
        "--no-normalize", action="store_true", help="keep typographic and invisible characters as they are written"
    )
    parser.add_argument(
        "--tokenizer", choices=get_args(Method), default="spacy", help="what words are (default: spacy)"
    )
    parser.add_argument("--language", help="of the rules for words and of stems (default: the texts' own)")
    parser.add_argument("--mixed-case", action="store_true", help="keep the case of letters")
    parser.add_argument(
        "--stemmer", choices=get_args(Stemmer), default="none", help="cut words to stems (default: none)"
    )
    parser.add_argument("--without-stop-words", action="store_true", help="leave out spaCy's stop words")
    parser.add_argument(
        "--parser",
        metavar="PIPELINE",
        help=f"a spaCy pipeline, for PARSE-2 (default: {DEFAULT_MODEL}, if it is installed)",
    )
    parser.add_argument(
        "--unlabelled",
        action="store_true",
        help="PARSE-2 without the names of relations: pairs of a head and a modifier, as in Basic Elements",
    )
    parser.add_argument(
        "--window", type=int, default=Options.window, help="most words inside a skip bigram (default: 4)"
    )
    parser.add_argument(
        "--single",
        choices=get_args(ReferenceChoice),
        default=Options.single,
        help="the reference of SINGLE-REF (default: drawn)",
    )
    parser.add_argument("--seed", type=int, default=Options.seed, help="of that draw (default: 2016)")
    parser.add_argument("--smoothing", choices=SMOOTHINGS, default=Options.smoothing, help="of BLEU (default: exp)")
    parser.add_argument(
        "--reference-weights",
        choices=REFERENCE_WEIGHTS,
        default=Options.reference_weights,
        help="a text that several editors wrote is one reference (distinct, the default), or one for each of them",
    )
    parser.add_argument(
        "--embeddings",
        metavar="FILE",
        help="vectors of words, for ROUGE-WE (WE-1, WE-2, WE-SU4): as word2vec or GloVe write them, also .gz or .xz "
        "(default: none, or those of the installation)",
    )
    parser.add_argument(
        "--encoder",
        metavar="FOLDER",
        help="a model that reads texts, for CONTEXT: in the form of sentence-transformers (default: "
        "none, or that of the installation)",
    )
    parser.add_argument(
        "--similarity", choices=SIMILARITIES, default=Options.similarity, help="of vectors (default: cosine)"
    )
    parser.add_argument(
        "--matching",
        choices=MATCHINGS,
        default=Options.matching,
        help="of similar units: the most similar first, the greatest sum, or the best of each (default: greedy)",
    )
    parser.add_argument(
        "--exact-weight",
        type=float,
        default=Options.exact_weight,
        help="share of equal units in a match of ROUGE-WE (default: 0)",
    )
    parser.add_argument(
        "--threshold", type=float, default=Options.threshold, help="similarities below it are 0 (default: 0)"
    )
    parser.add_argument(
        "--ground",
        choices=GROUNDS,
        help="score outputs k times, each time without one of their k references, or against all (default: all; "
        "jackknifed where people stand beside systems)",
    )


def settings_of(
    given: argparse.Namespace,
    *,
    language: str,
    parser_of: Callable[[str], str],
    embeddings: str = "",
    encoder: str = "",
) -> tuple[Analysis, Options]:
    """Return what was set.

    Parameters
    ----------
    given : argparse.Namespace
        The arguments.
    language : str
        Of the texts, where the arguments say nothing of it.
    parser_of : callable of str to str
        The pipeline for a language, or "", where the arguments say nothing of it; asked if a metric wants one.
    embeddings, encoder : str
        The file of word vectors and the folder of a model that reads texts, where the arguments say nothing of them;
        used if a metric wants one.

    Returns
    -------
    Analysis, Options
        How texts are analysed, and what metrics leave open. A parser that no metric wants is left out.

    Raises
    ------
    ValueError
        If a setting makes no sense, a metric is unknown, or wants a parser, vectors or a model that is not named.
    """
    tokenizer = Tokenizer(
        given.tokenizer, given.language or language, not given.mixed_case, given.stemmer, given.without_stop_words
    )
    wants_parser = not given.metrics or any(each.wants_parser for each in metrics_named(given.metrics))
    pipeline = given.parser or ""
    if wants_parser and given.parser is None:
        pipeline = parser_of(tokenizer.language)
    if given.metrics and wants_parser and not pipeline:
        raise ValueError(f"{WITHOUT_PARSER}.")
    wanted = metrics_named(given.metrics or [])
    vectors = given.embeddings or (embeddings if any(each.wants_vectors for each in wanted) else "")
    model = given.encoder or (encoder if any(each.wants_encoder for each in wanted) else "")
    for metric in wanted:
        if metric.wants_vectors and not vectors:
            raise ValueError(f"{metric.name} {WITHOUT_VECTORS}.")
        if metric.wants_encoder and not model:
            raise ValueError(f"{metric.name} {WITHOUT_ENCODER}.")
    options = Options(
        given.window,
        given.single,
        given.seed,
        given.smoothing,
        given.reference_weights,
        given.similarity,
        given.matching,
        given.exact_weight,
        given.threshold,
    )
    analysis = Analysis(
        tokenizer,
        pipeline if wants_parser else "",
        not given.no_normalize,
        vectors,
        model,
        not given.unlabelled,
    )
    return analysis, options


def add_corpus_bleu(parser: argparse.ArgumentParser) -> None:
    """Add the option that asks for BLEU of all outputs together.

    Parameters
    ----------
    parser : argparse.ArgumentParser
        The parser.
    """
    parser.add_argument(
        "--corpus-bleu",
        action="store_true",
        help="print BLEU of all outputs together, beside the mean of BLEU of single outputs, and nothing else",
    )


def bleu_lines(compared: Comparisons, options: Options) -> list[str]:
    """Return BLEU of all outputs together and the mean of BLEU of single ones, as lines of a table.

    Parameters
    ----------
    compared : Comparisons
        Outputs with all of their references.
    options : Options
        The smoothing.

    Returns
    -------
    list of str
        A head, and a line for each of BLEU-2, BLEU-3 and BLEU-4, parted by tabs.
    """
    names = [f"{units}+PrecBrev+MULT-ALL" for units in ORDERS]
    together, single = corpus_bleu(compared, options), score(compared, names, options)
    means = single.mean(axis=0) if len(single) else together
    values = zip(ORDERS, together.tolist(), means.tolist(), strict=True)
    return ["metric\tcorpus\tmean of outputs", *(f"{name}\t{one}\t{other}" for name, one, other in values)]


def names_to_score(given: argparse.Namespace, analysis: Analysis) -> list[str] | None:
    """Return the metrics to compute: those that are named, or beside the eighty the usual ones of what is given.

    Parameters
    ----------
    given : argparse.Namespace
        The arguments.
    analysis : Analysis
        What `settings_of` made of them.

    Returns
    -------
    list of str, or None
        Names; None for all that can be computed without vectors and models.
    """
    if given.metrics:
        return list(given.metrics)
    more = [*(USUAL_OF_VECTORS if analysis.vectors else ()), *(USUAL_OF_ENCODER if analysis.encoder else ())]
    if not more:
        return None
    return [metric.name for metric in METRICS.values() if analysis.parser or not metric.wants_parser] + more
