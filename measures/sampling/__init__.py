"""Which sources or texts belong to a split, a sample or a subgroup?

Splits that keep families together, stratified samples that any machine reproduces, and groups of about equal size.
"""

from measures.sampling.splits import split_sources, whole_shares
from measures.sampling.stratified import score_bands, stratified_sample
from measures.sampling.terciles import thirds

__all__ = ["score_bands", "split_sources", "stratified_sample", "thirds", "whole_shares"]
