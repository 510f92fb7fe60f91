"""The statements of the claims in handwritten SQL (`common/sql.py`); `claims.py` says how they work together."""

from common.sql import Statement
from crowd.services.write_locks import NOT_ERASED

# The items of a stream that a worker may have and that have an open slot. The subqueries do not depend on the item, so
# the database evaluates each of them once, whatever its table statistics. The second leaves out items that would block
# an unfinished task, such as rating others' compressions of its source.
AVAILABLE = """
    FROM crowd_item i
    WHERE i.campaign_id = %(campaign)s AND i.round = %(round)s AND i.stream = %(stream)s
    AND i.open_slots > 0 AND NOT i.is_closed
    AND i.id NOT IN (SELECT o.item_id FROM crowd_assignment o WHERE o.worker_id = %(worker)s)
    AND i.id NOT IN (
        SELECT k.item_id FROM crowd_itemconflict k JOIN crowd_assignment u ON u.item_id = k.blocks_id
        WHERE u.worker_id = %(worker)s AND u.state IN ('leased', 'expired')
    )
"""
IN_DRAWN_ORDER = "ORDER BY i.position, i.id"

FIRST_AVAILABLE = Statement(f"SELECT i.id {AVAILABLE} {IN_DRAWN_ORDER} LIMIT 1")

# Take a slot of the first available item that nobody else has locked at the moment.
TAKE_FIRST = Statement(f"""
    UPDATE crowd_item SET open_slots = open_slots - 1
    WHERE id = (SELECT i.id {AVAILABLE} {IN_DRAWN_ORDER} LIMIT 1 {{skip_locked}})
    RETURNING id
""")  # noqa: S608 - of constants

# Take a slot of an item unless somebody else has it locked at the moment.
TAKE = Statement("""
    UPDATE crowd_item SET open_slots = open_slots - 1
    WHERE id = (
        SELECT i.id FROM crowd_item i WHERE i.id = %(item)s AND i.open_slots > 0 AND NOT i.is_closed {skip_locked}
    )
""")

# How many of an item's places others of a worker's arm have. Of what an item wants, each arm may have as many.
TAKEN_BY_ARM = """(
    SELECT count(*) FROM crowd_assignment g
    JOIN crowd_enrolment h ON h.worker_id = g.worker_id AND h.round = g.round
    WHERE g.item_id = i.id AND g.state IN ('leased', 'submitted') AND h.arm = %(arm)s AND g.worker_id <> %(worker)s
)"""
OPEN_TO_ARM = f"AND {TAKEN_BY_ARM} < i.wanted / %(arms)s"
ARM_IS_FULL = Statement(f"""
    SELECT 1 FROM crowd_item i WHERE i.id = %(item)s AND NOT ({TAKEN_BY_ARM} < i.wanted / %(arms)s)
""")  # noqa: S608 - of constants

GIVE_BACK = Statement("UPDATE crowd_item SET open_slots = open_slots + 1 WHERE id = %(item)s")

# The others who have used one of a worker's browsers (`crowd/services/shared_browsers.py`).
OTHERS_OF_BROWSERS = """
    SELECT o.worker_id FROM crowd_workerbrowser m JOIN crowd_workerbrowser o ON o.browser_hash = m.browser_hash
    WHERE m.worker_id = %(worker)s AND o.worker_id <> m.worker_id
"""

# Block what conflicts with an item for the worker who has been given it, and a source for those of the same browsers.
# In the order of the rows, so that two who do this at the same moment do not wait for each other.
BLOCK_CONFLICTING = Statement(f"""
    INSERT INTO crowd_assignment (item_id, worker_id, round, state, page_position)
    SELECT n.item_id, n.worker_id, n.round, 'blocked', 0
    FROM (
        SELECT k.blocks_id AS item_id, w.id AS worker_id, b.round AS round
        FROM crowd_worker w, crowd_itemconflict k JOIN crowd_item b ON b.id = k.blocks_id
        WHERE w.id = %(worker)s AND k.item_id = %(item)s
        UNION
        SELECT i.id, s.worker_id, i.round FROM crowd_item i, ({OTHERS_OF_BROWSERS}) s
        WHERE i.id = %(item)s AND i.round = 'edit'
    ) n
    WHERE true
    ORDER BY n.item_id, n.worker_id
    ON CONFLICT DO NOTHING
""")  # noqa: S608 - of constants

COMPLETE = Statement(f"""
    UPDATE crowd_assignment SET state = 'submitted', submitted_at = %(now)s
    WHERE id = %(assignment)s AND worker_id = %(worker)s AND round = %(round)s AND state = 'leased'
    AND EXISTS ({NOT_ERASED})
    AND NOT EXISTS (
        SELECT 1 FROM crowd_enrolment e WHERE e.worker_id = %(worker)s AND e.round = %(round)s AND e.is_excluded
    )
""")  # noqa: S608 - of constants
