"""Block the experts' texts for those who share a browser with who wrote them (`crowd/services/shared_browsers.py`)."""

from common.statements import Statement
from crowd.services.claim_statements import OTHERS_OF_BROWSERS

BLOCK_TEXTS_OF = Statement("""
    INSERT INTO crowd_assignment (item_id, worker_id, round, state, page_position)
    SELECT DISTINCT x.item_id, %(reader)s, 'expert', 'blocked', 0
    FROM compressions_compression c JOIN ratings_expertitem x ON x.target_id = c.target_id
    WHERE c.worker_id = %(author)s
    ORDER BY x.item_id
    ON CONFLICT DO NOTHING
""")
BLOCK_SAMPLE = Statement("""
    INSERT INTO crowd_assignment (item_id, worker_id, round, state, page_position)
    SELECT DISTINCT x.item_id, o.worker_id, 'expert', 'blocked', 0
    FROM ratings_expertitem x
    JOIN compressions_compression c ON c.target_id = x.target_id
    JOIN crowd_workerbrowser m ON m.worker_id = c.worker_id
    JOIN crowd_workerbrowser o ON o.browser_hash = m.browser_hash AND o.worker_id <> m.worker_id
    WHERE x.sample_id = %(sample)s
    ORDER BY x.item_id, o.worker_id
    ON CONFLICT DO NOTHING
""")
# Of a text that was in a sample already when this worker wrote it, too; their own worker may be an expert as well.
BLOCK_TEXT_AGAIN = Statement(f"""
    INSERT INTO crowd_assignment (item_id, worker_id, round, state, page_position)
    SELECT x.item_id, w.id, 'expert', 'blocked', 0
    FROM ratings_expertitem x, (SELECT id FROM crowd_worker WHERE id = %(worker)s UNION {OTHERS_OF_BROWSERS}) w
    WHERE x.target_id = %(target)s
    ORDER BY w.id
    ON CONFLICT DO NOTHING
""")  # noqa: S608 - of constants


def expert_texts_block(author: int, reader: int) -> None:
    """Block the texts in the experts' samples that one person wrote for another."""
    BLOCK_TEXTS_OF.run(author=author, reader=reader)


def expert_text_again_block(target: int, author: int) -> None:
    """Block a text of the experts' samples that somebody has now written, too, for them and those of their browsers."""
    BLOCK_TEXT_AGAIN.run(target=target, worker=author)


def expert_sample_block(*, sample_id: int) -> None:
    """Block the texts of a new sample for all who share a browser with their authors."""
    BLOCK_SAMPLE.run(sample=sample_id)
