"""The questions of HEDS 3.0 by number, with labels of our own, and what its form at nlp-heds.github.io calls them."""

from enum import StrEnum
from typing import NamedTuple

PAGE = "https://nlp-heds.github.io/"


class Kind(StrEnum):
    TEXT = "text"
    INTEGER = "integer"
    ONE = "one"
    MANY = "many"


class Question(NamedTuple):
    number: str
    id: str
    kind: Kind
    label: str

    @property
    def is_of_criteria(self) -> bool:
        """Whether it is asked of each scale."""
        return self.number.startswith("4.")


T, INTEGER, ONE, MANY = Kind
_PAPER, _SYSTEM = "heds-paper_and_resources-", "heds-system-"
_PEOPLE = f"{_PAPER}names_and_affiliations-"
_SAMPLE = "heds-sample_evaluators_design-sample-"
_EVALUATORS = "heds-sample_evaluators_design-evaluators-"
_DESIGN = "heds-sample_evaluators_design-experimental_design-"
CRITERION = "heds-criteria-criterion"
_ELICITATION = f"{CRITERION}-response_elicitation-"
QUESTIONS = (
    Question("1.1.1", f"{_PAPER}paper-link", ONE, "Report of the evaluation"),
    Question("1.1.2", f"{_PAPER}paper-experiment_identification", T, "Which experiment"),
    Question("1.2", f"{_PAPER}resources-links", ONE, "Shared resources"),
    Question("1.3.1.1", f"{_PEOPLE}person_completing_this_sheet-name", T, "Filled in by: name"),
    Question("1.3.1.2", f"{_PEOPLE}person_completing_this_sheet-affiliation", T, "Filled in by: affiliation"),
    Question("1.3.1.3", f"{_PEOPLE}person_completing_this_sheet-email", T, "Filled in by: e-mail"),
    Question("1.3.2.1", f"{_PEOPLE}contact_author-name", T, "Contact: name"),
    Question("1.3.2.2", f"{_PEOPLE}contact_author-affiliation", T, "Contact: affiliation"),
    Question("1.3.2.3", f"{_PEOPLE}contact_author-email", T, "Contact: e-mail"),
    Question("2.1", f"{_SYSTEM}input_types", MANY, "Kind of input"),
    Question("2.2", f"{_SYSTEM}output_types", MANY, "Kind of output"),
    Question("2.3", f"{_SYSTEM}tasks", MANY, "Task"),
    Question("2.4", f"{_SYSTEM}input_languages", MANY, "Languages of the input"),
    Question("2.5", f"{_SYSTEM}output_languages", MANY, "Languages of the output"),
    Question("3.1.1", f"{_SAMPLE}number_of_system_outputs", T, "How many outputs were judged"),
    Question("3.1.2", f"{_SAMPLE}system_output_selection", ONE, "How they were selected"),
    Question("3.1.3.1", f"{_SAMPLE}statistical_power-method", T, "Statistical power: method"),
    Question("3.1.3.2", f"{_SAMPLE}statistical_power-value", T, "Statistical power: result"),
    Question("3.1.3.3", f"{_SAMPLE}statistical_power-script", T, "Statistical power: code"),
    Question("3.2.1", f"{_EVALUATORS}number_of_evaluators", INTEGER, "How many people judged"),
    Question("3.2.2.1", f"{_EVALUATORS}evaluators-expertise", ONE, "Experts"),
    Question("3.2.2.2", f"{_EVALUATORS}evaluators-payment", ONE, "Payment"),
    Question("3.2.2.3", f"{_EVALUATORS}evaluators-known_to_authors", ONE, "Known to the authors"),
    Question("3.2.2.4", f"{_EVALUATORS}evaluators-are_authors", ONE, "Authors among them"),
    Question("3.2.3", f"{_EVALUATORS}recruitment_method", T, "Recruitment"),
    Question("3.2.4", f"{_EVALUATORS}training_practice", T, "Training and practice"),
    Question("3.2.5", f"{_EVALUATORS}characteristics", T, "Who they are"),
    Question("3.3.1", f"{_DESIGN}preregistered", ONE, "Preregistration"),
    Question("3.3.2", f"{_DESIGN}collection_method", T, "Medium"),
    Question("3.3.3.1", f"{_DESIGN}quality_assurance-method", MANY, "Quality assurance: kinds"),
    Question("3.3.3.2", f"{_DESIGN}quality_assurance-description", T, "Quality assurance: details"),
    Question("3.3.4.1", f"{_DESIGN}what_evaluators_see-link", T, "Where the pages can be seen"),
    Question("3.3.4.2", f"{_DESIGN}what_evaluators_see-description", T, "What people saw"),
    Question("3.3.5", f"{_DESIGN}evaluator_freedom", MANY, "Freedom in time"),
    Question("3.3.6", f"{_DESIGN}evaluators_can_ask_questions", MANY, "Questions and feedback"),
    Question("3.3.7", f"{_DESIGN}experimental_conditions", ONE, "Conditions"),
    Question("3.3.8", f"{_DESIGN}evaluators_place_of_choosing", T, "How conditions vary"),
    Question("4.1.1", f"{CRITERION}-criteria-quality_type", ONE, "Type of quality"),
    Question("4.1.2", f"{CRITERION}-criteria-output_aspect", ONE, "Aspect: form or content"),
    Question("4.1.3", f"{CRITERION}-criteria-self_vs_external_frame", ONE, "Frame of reference"),
    Question("4.2.1", f"{CRITERION}-evaluation_mode-objective_or_subjective", ONE, "Objective or subjective"),
    Question("4.2.2", f"{CRITERION}-evaluation_mode-absolute_or_relative", ONE, "Absolute or relative"),
    Question("4.2.3", f"{CRITERION}-evaluation_mode-intrinsic_or_extrinsic", ONE, "Intrinsic or extrinsic"),
    Question("4.3.1.1", f"{_ELICITATION}qc_name-participant_criterion_name", T, "Name as shown"),
    Question("4.3.1.2", f"{_ELICITATION}qc_name-mapped_criterion_name", T, "Standard name"),
    Question("4.3.2", f"{_ELICITATION}participant_criterion_definiiton", T, "Definition as shown"),
    Question("4.3.3", f"{_ELICITATION}size_of_scale", T, "Size of the scale"),
    Question("4.3.4", f"{_ELICITATION}list_or_range", T, "Values of the scale"),
    Question("4.3.5", f"{_ELICITATION}scale_presented_as", ONE, "How the scale is shown"),
    Question("4.3.6", f"{_ELICITATION}task_description", T, "Task, if there is no scale"),
    Question("4.3.7", f"{_ELICITATION}verbatim_question", T, "Question as asked"),
    Question("4.3.8", f"{_ELICITATION}form_of_response", ONE, "Form of the response"),
    Question("4.3.9", f"{_ELICITATION}response_aggregation", T, "Aggregation"),
    Question("4.3.10", f"{_ELICITATION}effect_size_method", T, "Effect size and significance"),
    Question("4.3.11.1", f"{_ELICITATION}inter_annotator-agreement", T, "Agreement between people: method"),
    Question("4.3.11.2", f"{_ELICITATION}inter_annotator-agreement_score", T, "Agreement between people: value"),
    Question("4.3.12.1", f"{_ELICITATION}intra_annotator-intra_annotator_agreement", T, "With oneself: method"),
    Question("4.3.12.2", f"{_ELICITATION}intra_annotator-intra_annotator_agreement_score", T, "With oneself: value"),
    Question("5.1", "heds-ethics-review_body", T, "Ethical approval"),
    Question("5.2", "heds-ethics-personal_data", ONE, "Personal data"),
    Question("5.3", "heds-ethics-special_category_data", ONE, "Special categories of data"),
    Question("5.4", "heds-ethics-impact_assessments", T, "Assessments of impact"),
)
