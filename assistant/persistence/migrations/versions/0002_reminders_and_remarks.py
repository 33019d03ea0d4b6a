"""What was noted on a branch, what is to be left, and which orders outside the main lines are to be reminded of"""

import sqlalchemy as sa
from alembic import op

from assistant.persistence.columns import UtcDateTime, document

revision = "0002"
down_revision = "0001"


def upgrade() -> None:
    op.add_column("branches", sa.Column("remark", document(), nullable=True))
    op.add_column("commands", sa.Column("stop_asked_at", UtcDateTime(), nullable=True))
    op.add_column("webhooks", sa.Column("handled_at", UtcDateTime(), nullable=True))
    op.create_index("ix_webhooks_kind", "webhooks", ["kind", "handled_at"])
    op.create_table(
        "reminders",
        sa.Column("order_id", sa.Text(), nullable=False),
        sa.Column("tenant_id", sa.Text(), nullable=False),
        sa.Column("trip_id", sa.Text(), nullable=False),
        sa.Column("since", UtcDateTime(), nullable=False),
        sa.Column("told", sa.Integer(), nullable=False),
        sa.Column("due", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("order_id", name=op.f("pk_reminders")),
    )
    op.create_index("ix_reminders_due", "reminders", ["due"])
    op.create_index("ix_reminders_trip_id", "reminders", ["trip_id"])
    op.create_table(
        "words",
        sa.Column("operation_id", sa.Text(), nullable=False),
        sa.Column("tries", sa.Integer(), nullable=False),
        sa.Column("due", UtcDateTime(), nullable=True),
        sa.PrimaryKeyConstraint("operation_id", name=op.f("pk_words")),
    )
    op.create_index("ix_words_due", "words", ["due"])
    op.execute(
        "INSERT INTO words (operation_id, tries, due) SELECT operation_id, 0, MAX(created_at) FROM evidence "
        "WHERE kind = 'resolution' AND operation_id IS NOT NULL GROUP BY operation_id"
    )


def downgrade() -> None:
    op.drop_table("words")
    op.drop_table("reminders")
    op.drop_index("ix_webhooks_kind", "webhooks")
    op.drop_column("webhooks", "handled_at")
    op.drop_column("commands", "stop_asked_at")
    op.drop_column("branches", "remark")
