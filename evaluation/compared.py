"""Metrics compared with each other on one judgement: correlations of differences, Williams' tests, dominance."""

from dataclasses import dataclass

from evaluation.parameters import EvaluationParameters
from measures.meta_evaluation import (
    Dominance,
    InputLevel,
    JudgedOutputs,
    WilliamsTests,
    dominance,
    input_level,
    williams_tests,
)


@dataclass(frozen=True, eq=False)
class Compared:
    """What was compared, the correlations of each metric on each pair of systems, the tests, and who dominates whom."""

    outputs: JudgedOutputs
    level: InputLevel
    tests: WilliamsTests
    dominance: Dominance


def compare_metrics(outputs: JudgedOutputs, parameters: EvaluationParameters) -> Compared:
    level = input_level(outputs, missing=parameters.missing)
    tests = williams_tests(level)
    return Compared(outputs, level, tests, dominance(tests, alpha=parameters.alpha, share=parameters.share))
