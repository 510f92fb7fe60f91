"""Block the experts' texts for those who share a browser with who wrote them (`crowd/services/shared_browsers.py`)."""

from common.statements import Statement

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


def expert_texts_block(author: int, reader: int) -> None:
    """Block the texts in the experts' samples that one person wrote for another."""
    BLOCK_TEXTS_OF.run(author=author, reader=reader)


def expert_sample_block(*, sample_id: int) -> None:
    """Block the texts of a new sample for all who share a browser with their authors."""
    BLOCK_SAMPLE.run(sample=sample_id)
