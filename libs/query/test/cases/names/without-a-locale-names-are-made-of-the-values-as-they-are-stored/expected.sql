-- without a locale names are made of the values as they are stored
-- $1 = 100
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Reading'::text AS "_entityName",
    (
      COALESCE(CASE page."color" WHEN 'r' THEN 'RED' WHEN 'g' THEN 'GREEN' END, '')
      || ' '::text
      || COALESCE(CASE page."level" WHEN 1 THEN 'LOW' WHEN 2 THEN 'HIGH' END, '')
      || ' '::text
      || COALESCE(page."alive"::text, '')
      || ' '::text
      || COALESCE(page."count"::text, '')
      || ' '::text
      || COALESCE(page."amount"::text, '')
      || ' '::text
      || COALESCE(page."exact"::text, '')
      || ' '::text
      || COALESCE(page."ratio"::text, '')
      || ' '::text
      || COALESCE(page."born"::text, '')
      || ' '::text
      || COALESCE(to_char(page."seen_at", 'YYYY-MM-DD"T"HH24:MI:SS.MS')::text, '')
      || ' '::text
      || COALESCE(
        to_char(page."chipped_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')::text, ''
      )
      || ' '::text
      || COALESCE(page."feed_at"::text, '')
      || ' '::text
      || COALESCE(
        regexp_replace(
          regexp_replace(page."opens_at"::text, '[+-]00(:00)?$', 'Z'), '([+-]\d\d)$', '\1:00'
        )::text,
        ''
      )
    ) AS "_instanceName",
    page."id" AS "id",
    CASE page."color" WHEN 'r' THEN 'RED' WHEN 'g' THEN 'GREEN' END AS "color",
    CASE page."level" WHEN 1 THEN 'LOW' WHEN 2 THEN 'HIGH' END AS "level",
    page."alive" AS "alive",
    page."count" AS "count",
    page."amount" AS "amount",
    page."exact" AS "exact",
    CASE
      WHEN page."ratio" = trunc(page."ratio")
        AND abs(page."ratio") < 1e15 THEN (page."ratio"::text || '.0')::json
      ELSE to_json(page."ratio")
    END AS "ratio",
    page."born" AS "born",
    to_char(page."seen_at", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "seenAt",
    to_char(page."chipped_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') AS "chippedAt",
    page."feed_at" AS "feedAt",
    regexp_replace(
      regexp_replace(page."opens_at"::text, '[+-]00(:00)?$', 'Z'), '([+-]\d\d)$', '\1:00'
    ) AS "opensAt"
  FROM (
    SELECT
      t0."color" AS "color",
      t0."level" AS "level",
      t0."alive" AS "alive",
      t0."count" AS "count",
      t0."amount" AS "amount",
      t0."exact" AS "exact",
      t0."ratio" AS "ratio",
      t0."born" AS "born",
      t0."seen_at" AS "seen_at",
      t0."chipped_at" AS "chipped_at",
      t0."feed_at" AS "feed_at",
      t0."opens_at" AS "opens_at",
      t0."id" AS "id"
    FROM "t"."reading" t0
    ORDER BY t0."id"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
