"""Simulate experts, who rate a sample drawn from the texts that a simulated crowd has rated."""

from annotation.simulation.crowd import rate_all, simulated_enrolment, simulated_skills
from annotation.simulation.people import expert_model
from crowd.models import Campaign, Round
from crowd.services.entry import enrolment_finish
from ratings.services.experts import expert_sample_draw


def experts_simulate(*, campaign: Campaign, experts: int, texts: int, seed: int, editors: int) -> int:
    """Draw a sample for the experts and let each of them rate all of it; return the number of ratings.

    `editors` and `seed` are those of the simulated crowd, from which the quality of each text follows.
    """
    expert_sample_draw(campaign=campaign, size=texts, seed=seed, experts=experts)
    skills = simulated_skills(campaign, seed, editors)
    ratings = 0
    for number in range(1, experts + 1):
        enrolment = simulated_enrolment(campaign, Round.EXPERT, seed, number)
        ratings += rate_all(enrolment, expert_model(seed, number), seed, skills)
        enrolment_finish(enrolment=enrolment)
    return ratings
