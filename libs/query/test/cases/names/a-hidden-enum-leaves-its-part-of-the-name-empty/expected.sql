-- a hidden enum leaves its part of the name empty
-- $1 = 100
-- $2 = 0

SELECT concat(
  '{"_entityName":"t_Reading"',
  ',"_instanceName":'
  || to_json(
    (
      ''::text
      || ' '::text
      || COALESCE(CASE page."level" WHEN 1 THEN 'Low' WHEN 2 THEN 'Hoch' END, '')
      || ' '::text
      || COALESCE(CASE page."alive" WHEN true THEN 'Ja' WHEN false THEN 'Nein' END, '')
      || ' '::text
      || COALESCE(
        translate(
          to_char(page."count"::numeric, 'FM99,999,999,999,999,999,999,999,999,999,999,999,990'),
          '.,',
          ',.'
        ),
        ''
      )
      || ' '::text
      || COALESCE(
        CASE
          WHEN abs(page."amount") < 1e38 THEN translate(
            to_char(
              CASE
                WHEN abs(page."amount") * 100 % 1 = 0.5 THEN round(page."amount" * 50) * 0.02
                ELSE round(page."amount", 2)
              END,
              'FM99,999,999,999,999,999,999,999,999,999,999,999,990.00'
            ),
            '.,',
            ',.'
          )
          ELSE page."amount"::text
        END,
        ''
      )
      || ' '::text
      || COALESCE(
        CASE
          WHEN abs(page."exact") < 1e38 THEN translate(
            to_char(
              CASE
                WHEN abs(page."exact") * 100 % 1 = 0.5 THEN round(page."exact" * 50) * 0.02
                ELSE round(page."exact", 2)
              END,
              'FM99,999,999,999,999,999,999,999,999,999,999,999,990.00'
            ),
            '.,',
            ',.'
          )
          ELSE page."exact"::text
        END,
        ''
      )
      || ' '::text
      || COALESCE(
        CASE
          WHEN abs(page."ratio") < 1e38 THEN translate(
            rtrim(
              to_char(
                CASE
                  WHEN abs(page."ratio"::numeric) * 1000 % 1 = 0.5 THEN round(
                    page."ratio"::numeric * 500
                  ) * 0.002
                  ELSE round(page."ratio"::numeric, 3)
                END,
                'FM99,999,999,999,999,999,999,999,999,999,999,999,990.999'
              ),
              '.'
            ),
            '.,',
            ',.'
          )
          ELSE page."ratio"::text
        END,
        ''
      )
      || ' '::text
      || COALESCE(to_char(page."born", 'DD"."MM"."YYYY'), '')
      || ' '::text
      || COALESCE(to_char(page."seen_at", 'DD"."MM"."YYYY" "HH24":"MI'), '')
      || ' '::text
      || COALESCE(
        to_char(page."chipped_at" AT TIME ZONE 'UTC', 'DD"."MM"."YYYY" "HH24":"MI" ""+0000"'), ''
      )
      || ' '::text
      || COALESCE(to_char(page."feed_at", 'HH24":"MI'), '')
      || ' '::text
      || COALESCE(
        (
          substr(page."opens_at"::text, 1, 5)
          || ' '
          || rpad(replace(substring(page."opens_at"::text FROM '[+-].*$'), ':', ''), 5, '0')
        ),
        ''
      )
    )
  )::text,
  CASE WHEN page."id" IS NOT NULL THEN ',"id":' END,
  to_json(page."id"),
  CASE page."level" WHEN 1 THEN ',"level":"LOW"' WHEN 2 THEN ',"level":"HIGH"' END,
  CASE WHEN page."alive" IS NOT NULL THEN ',"alive":' END,
  to_json(page."alive"),
  CASE WHEN page."count" IS NOT NULL THEN ',"count":' END,
  to_json(page."count"),
  CASE WHEN page."amount" IS NOT NULL THEN ',"amount":' END,
  to_json(page."amount"),
  CASE WHEN page."exact" IS NOT NULL THEN ',"exact":' END,
  to_json(page."exact"),
  ',"ratio":'
  || to_json(
    CASE
      WHEN page."ratio" = trunc(page."ratio")
        AND abs(page."ratio") < 1e15 THEN (page."ratio"::text || '.0')::json
      ELSE to_json(page."ratio")
    END
  )::text,
  CASE WHEN page."born" IS NOT NULL THEN ',"born":' END,
  to_json(page."born"),
  ',"seenAt":"' || to_char(page."seen_at", 'YYYY-MM-DD"T"HH24:MI:SS.MS') || '"',
  ',"chippedAt":"'
  || to_char(page."chipped_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
  || '"',
  CASE WHEN page."feed_at" IS NOT NULL THEN ',"feedAt":' END,
  to_json(page."feed_at"),
  ',"opensAt":'
  || to_json(
    regexp_replace(
      regexp_replace(page."opens_at"::text, '[+-]00(:00)?$', 'Z'), '([+-]\d\d)$', '\1:00'
    )
  )::text,
  '}'
) AS "json"
FROM (
  SELECT
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
