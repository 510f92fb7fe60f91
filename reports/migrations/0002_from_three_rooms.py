"""Take over the reports of three rooms, which had tables of their own, and name them in the jobs that compute them."""

from django.db import migrations

SHARED = ("parameters", "digest", "created_at", "finished_at", "release_checksum", "rows", "figures", "report_version")


def copied(apps, old, kind, pins, **more):
    """Copy one report, without its rows by key and its parts."""
    values = {name: getattr(old, name) for name in SHARED}
    pinned = {name: getattr(old, name) for name in pins}
    report = apps.get_model("reports", "Report").objects.create(
        kind=kind, release_id=old.release_id, pinned=pinned, **values, **more
    )
    # The moment of the copy would stand there otherwise.
    apps.get_model("reports", "Report").objects.filter(pk=report.pk).update(created_at=old.created_at)
    return report.pk


def agreement(apps):
    results = apps.get_model("agreement", "AgreementResult").objects.order_by("pk").iterator(chunk_size=1)
    return {old.pk: copied(apps, old, "agreement", ["first_ratings"]) for old in results}


def operations(apps):
    new = {}
    pins = ("signature", "last_correction", "last_output", "texts")
    for old in apps.get_model("edit_operations", "OperationsReport").objects.order_by("pk").iterator(chunk_size=1):
        lease = {"attached": old.word_pairs, "lease_ends_at": old.lease_ends_at}
        new[old.pk] = copied(apps, old, "operations", pins, **lease)
    part_model = apps.get_model("reports", "ReportPart")
    for old in apps.get_model("edit_operations", "OperationsPart").objects.order_by("pk").iterator(chunk_size=1):
        values = {name: getattr(old, name) for name in ("number", "begin", "stop", "lease_ends_at", "attempts", "job_id")}
        part_model.objects.create(report_id=new[old.report_id], content=old.sources, **values)
    return new


def evaluations(apps):
    new = {}
    pins = ("score_runs", "last_model_rating", "last_translation")
    for old in apps.get_model("evaluation", "EvaluationReport").objects.order_by("pk").iterator(chunk_size=1):
        new[old.pk] = copied(apps, old, "evaluation", pins)
    rows_model = apps.get_model("reports", "ReportRows")
    for old in apps.get_model("evaluation", "EvaluationPart").objects.order_by("pk").iterator(chunk_size=1):
        rows_model.objects.create(report_id=new[old.report_id], key=old.metric, rows=old.rows)
    return new


def take_over(apps, schema_editor):
    for kind, key, new in (
        ("agreement_report", "result", agreement(apps)),
        ("operations_report", "report", operations(apps)),
        ("evaluation_report", "report", evaluations(apps)),
    ):
        for job in apps.get_model("common", "Job").objects.filter(kind=kind).iterator():
            job.parameters = {"report": new.get(job.parameters.get(key), 0)}
            job.save(update_fields=["parameters"])


class Migration(migrations.Migration):

    dependencies = [
        ("reports", "0001_initial"),
        ("agreement", "0002_since_0_2_0"),
        ("edit_operations", "0001_initial"),
        ("evaluation", "0001_initial"),
    ]

    operations = [migrations.RunPython(take_over, migrations.RunPython.noop, elidable=True)]
