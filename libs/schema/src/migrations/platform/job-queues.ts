/** The functions of `JOBS` that create and delete queues. */
export const QUEUE_FUNCTIONS: readonly string[] = [
  `CREATE FUNCTION job.create_queue(queue_name text, options jsonb)
RETURNS VOID AS
$$
DECLARE
  tablename varchar := CASE WHEN options->>'partition' = 'true'
                        THEN 'j' || encode(sha224(queue_name::bytea), 'hex')
                        ELSE 'job_common'
                        END;
  queue_created_on timestamptz;
BEGIN
  WITH q as (
    INSERT INTO job.queue (
      name,
      policy,
      retry_limit,
      retry_delay,
      retry_backoff,
      retry_delay_max,
      expire_seconds,
      retention_seconds,
      deletion_seconds,
      warning_queued,
      dead_letter,
      partition,
      table_name,
      heartbeat_seconds,
      notify,
      created_on,
      updated_on
    )
    VALUES (
      queue_name,
      options->>'policy',
      COALESCE((options->>'retryLimit')::int, 2),
      COALESCE((options->>'retryDelay')::int, 0),
      COALESCE((options->>'retryBackoff')::bool, false),
      (options->>'retryDelayMax')::int,
      COALESCE((options->>'expireInSeconds')::int, 900),
      COALESCE((options->>'retentionSeconds')::int, 1209600),
      COALESCE((options->>'deleteAfterSeconds')::int, 604800),
      COALESCE((options->>'warningQueueSize')::int, 0),
      options->>'deadLetter',
      COALESCE((options->>'partition')::bool, false),
      tablename,
      (options->>'heartbeatSeconds')::int,
      COALESCE((options->>'notify')::bool, false),
      job.job_now(),
      job.job_now()
    )
    ON CONFLICT DO NOTHING
    RETURNING created_on
  )
  SELECT created_on into queue_created_on from q;
  IF queue_created_on IS NULL OR options->>'partition' IS DISTINCT FROM 'true' THEN
    RETURN;
  END IF;
  EXECUTE format('CREATE TABLE job.%I (LIKE job.job INCLUDING DEFAULTS)', tablename);
  EXECUTE job.job_table_format($cmd$ALTER TABLE job.job ADD PRIMARY KEY (name, id)$cmd$, tablename);
  EXECUTE job.job_table_format($cmd$ALTER TABLE job.job ADD CONSTRAINT q_fkey FOREIGN KEY (name) REFERENCES job.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
  EXECUTE job.job_table_format($cmd$ALTER TABLE job.job ADD CONSTRAINT dlq_fkey FOREIGN KEY (dead_letter) REFERENCES job.queue (name) ON DELETE RESTRICT DEFERRABLE INITIALLY DEFERRED$cmd$, tablename);
  EXECUTE job.job_table_format($cmd$CREATE INDEX job_i11 ON job.job (name, priority DESC, created_on, start_after) WHERE state < 'active' AND NOT blocked$cmd$, tablename);
  EXECUTE job.job_table_format($cmd$CREATE UNIQUE INDEX job_i4 ON job.job (name, singleton_on, COALESCE(singleton_key, '')) WHERE state <> 'cancelled' AND singleton_on IS NOT NULL$cmd$, tablename);
  EXECUTE job.job_table_format($cmd$CREATE INDEX job_i7 ON job.job (name, group_id) WHERE state = 'active' AND group_id IS NOT NULL$cmd$, tablename);
  EXECUTE job.job_table_format($cmd$CREATE INDEX job_i9 ON job.job (name, id) WHERE blocking AND state = 'completed'$cmd$, tablename);
  EXECUTE job.job_table_format($cmd$CREATE INDEX job_i12 ON job.job (source_root_id) WHERE source_root_id IS NOT NULL$cmd$, tablename);
  EXECUTE job.job_table_format($cmd$CREATE UNIQUE INDEX job_i13 ON job.job (name, singleton_key) WHERE state = 'created' AND upsert_by_key$cmd$, tablename);
  EXECUTE job.job_table_format($cmd$CREATE INDEX job_i14 ON job.job (name, state, blocked, start_after) WHERE state IN ('created', 'retry', 'active', 'failed')$cmd$, tablename);
  EXECUTE job.job_table_format($cmd$CREATE INDEX job_i15 ON job.job (name, created_on)$cmd$, tablename);
  EXECUTE job.job_table_format($cmd$CREATE INDEX job_i16 ON job.job (name, completed_on) WHERE completed_on IS NOT NULL$cmd$, tablename);
  EXECUTE job.job_table_format($cmd$CREATE INDEX job_i17 ON job.job (name, singleton_key, created_on) WHERE state < 'active' AND singleton_key IS NOT NULL$cmd$, tablename);
  IF options->>'policy' = 'short' THEN
    EXECUTE job.job_table_format($cmd$CREATE UNIQUE INDEX job_i1 ON job.job (name, COALESCE(singleton_key, '')) WHERE state = 'created' AND policy = 'short'$cmd$, tablename);
  ELSIF options->>'policy' = 'singleton' THEN
    EXECUTE job.job_table_format($cmd$CREATE UNIQUE INDEX job_i2 ON job.job (name, COALESCE(singleton_key, '')) WHERE state = 'active' AND policy = 'singleton'$cmd$, tablename);
  ELSIF options->>'policy' = 'stately' THEN
    EXECUTE job.job_table_format($cmd$CREATE UNIQUE INDEX job_i3 ON job.job (name, state, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'stately'$cmd$, tablename);
  ELSIF options->>'policy' = 'exclusive' THEN
    EXECUTE job.job_table_format($cmd$CREATE UNIQUE INDEX job_i6 ON job.job (name, COALESCE(singleton_key, '')) WHERE state <= 'active' AND policy = 'exclusive'$cmd$, tablename);
  ELSIF options->>'policy' = 'key_strict_fifo' THEN
    EXECUTE job.job_table_format($cmd$CREATE UNIQUE INDEX job_i8 ON job.job (name, singleton_key) WHERE state IN ('active', 'retry', 'failed') AND policy = 'key_strict_fifo'$cmd$, tablename);
    EXECUTE job.job_table_format($cmd$CREATE INDEX job_i10 ON job.job (name, singleton_key, state DESC, created_on, id) INCLUDE (start_after) WHERE state < 'active' AND NOT blocked AND policy = 'key_strict_fifo'$cmd$, tablename);
    EXECUTE job.job_table_format($cmd$ALTER TABLE job.job ADD CONSTRAINT job_key_strict_fifo_singleton_key_check CHECK (NOT (policy = 'key_strict_fifo' AND singleton_key IS NULL))$cmd$, tablename);
  END IF;
  EXECUTE format('ALTER TABLE job.%I ADD CONSTRAINT cjc CHECK (name=%L)', tablename, queue_name);
  EXECUTE format('ALTER TABLE job.job ATTACH PARTITION job.%I FOR VALUES IN (%L)', tablename, queue_name);
END;
$$
LANGUAGE plpgsql`,
  `CREATE FUNCTION job.delete_queue(queue_name text)
RETURNS VOID AS
$$
DECLARE
  v_table varchar;
  v_partition bool;
BEGIN
  SELECT table_name, partition
  FROM job.queue
  WHERE name = queue_name
  INTO v_table, v_partition;
  IF v_partition THEN
    EXECUTE format('DROP TABLE IF EXISTS job.%I', v_table);
  ELSE
    EXECUTE format('DELETE FROM job.%I WHERE name = %L', v_table, queue_name);
  END IF;
  DELETE FROM job.queue WHERE name = queue_name;
END;
$$
LANGUAGE plpgsql`,
];
