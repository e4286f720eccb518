"""Retrain the patent re-ranker each Monday: one task, the command that cron would call.

The steps are not tasks of their own: the command knows which of them have nothing to do, and a retried task goes on with
the step that failed. For Airflow 3; the worker needs dssdnet and the workspace.
"""

import pendulum
from airflow.providers.standard.operators.bash import BashOperator
from airflow.sdk import DAG

with DAG(
    dag_id="dssdnet_retrain",
    schedule="0 6 * * 1",
    start_date=pendulum.datetime(2026, 1, 5, tz="Europe/Vienna"),
    catchup=False,  # one run takes all that is new, however many weeks it is
    max_active_runs=1,
    default_args={"retries": 2, "retry_delay": pendulum.duration(minutes=15)},
) as dag:
    BashOperator(
        task_id="retrain",
        # exec: the SIGTERM of a task that is stopped reaches dssdnet, which finishes the unit in hand.
        bash_command="exec dssdnet run retrain --config /etc/dssdnet.yaml --wait 1h --log-format json",
        skip_on_exit_code=5,  # the gate refused: the old model stays, and a retry would be refused again
        append_env=True,
    )
