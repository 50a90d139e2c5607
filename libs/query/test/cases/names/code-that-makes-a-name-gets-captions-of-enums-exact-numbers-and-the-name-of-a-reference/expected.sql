-- code that makes a name gets captions of enums, exact numbers and the name of a reference
-- $1 = 100
-- $2 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT
    't_Remark'::text AS "_entityName",
    json_build_array(
      CASE page."level" WHEN 1 THEN 'Low' WHEN 2 THEN 'Hoch' END,
      page."count"::text,
      (
        SELECT (
          COALESCE(CASE t1."color" WHEN 'r' THEN 'Rot' WHEN 'g' THEN 'Grün' END, '')
          || ' '::text
          || COALESCE(CASE t1."level" WHEN 1 THEN 'Low' WHEN 2 THEN 'Hoch' END, '')
          || ' '::text
          || COALESCE(CASE t1."alive" WHEN true THEN 'Ja' WHEN false THEN 'Nein' END, '')
          || ' '::text
          || COALESCE(
            translate(
              to_char(t1."count"::numeric, 'FM99,999,999,999,999,999,999,999,999,999,999,999,990'),
              '.,',
              ',.'
            ),
            ''
          )
          || ' '::text
          || COALESCE(
            CASE
              WHEN abs(t1."amount") < 1e38 THEN translate(
                to_char(
                  CASE
                    WHEN abs(t1."amount") * 100 % 1 = 0.5 THEN round(t1."amount" * 50) * 0.02
                    ELSE round(t1."amount", 2)
                  END,
                  'FM99,999,999,999,999,999,999,999,999,999,999,999,990.00'
                ),
                '.,',
                ',.'
              )
              ELSE t1."amount"::text
            END,
            ''
          )
          || ' '::text
          || COALESCE(
            CASE
              WHEN abs(t1."exact") < 1e38 THEN translate(
                to_char(
                  CASE
                    WHEN abs(t1."exact") * 100 % 1 = 0.5 THEN round(t1."exact" * 50) * 0.02
                    ELSE round(t1."exact", 2)
                  END,
                  'FM99,999,999,999,999,999,999,999,999,999,999,999,990.00'
                ),
                '.,',
                ',.'
              )
              ELSE t1."exact"::text
            END,
            ''
          )
          || ' '::text
          || COALESCE(
            CASE
              WHEN abs(t1."ratio") < 1e38 THEN translate(
                rtrim(
                  to_char(
                    CASE
                      WHEN abs(t1."ratio"::numeric) * 1000 % 1 = 0.5 THEN round(
                        t1."ratio"::numeric * 500
                      ) * 0.002
                      ELSE round(t1."ratio"::numeric, 3)
                    END,
                    'FM99,999,999,999,999,999,999,999,999,999,999,999,990.999'
                  ),
                  '.'
                ),
                '.,',
                ',.'
              )
              ELSE t1."ratio"::text
            END,
            ''
          )
          || ' '::text
          || COALESCE(to_char(t1."born", 'DD"."MM"."YYYY'), '')
          || ' '::text
          || COALESCE(to_char(t1."seen_at", 'DD"."MM"."YYYY" "HH24":"MI'), '')
          || ' '::text
          || COALESCE(
            to_char(t1."chipped_at" AT TIME ZONE 'UTC', 'DD"."MM"."YYYY" "HH24":"MI" ""+0000"'), ''
          )
          || ' '::text
          || COALESCE(to_char(t1."feed_at", 'HH24":"MI'), '')
          || ' '::text
          || COALESCE(
            (
              substr(t1."opens_at"::text, 1, 5)
              || ' '
              || rpad(replace(substring(t1."opens_at"::text FROM '[+-].*$'), ':', ''), 5, '0')
            ),
            ''
          )
        )
        FROM "t"."reading" t1
        WHERE t1."id" = page."reading_id"
        LIMIT 1
      )
    ) AS "_instanceName",
    page."id" AS "id",
    (
      SELECT row_to_json(j1)
      FROM (
        SELECT
          't_Reading'::text AS "_entityName",
          (
            COALESCE(CASE t2."color" WHEN 'r' THEN 'Rot' WHEN 'g' THEN 'Grün' END, '')
            || ' '::text
            || COALESCE(CASE t2."level" WHEN 1 THEN 'Low' WHEN 2 THEN 'Hoch' END, '')
            || ' '::text
            || COALESCE(CASE t2."alive" WHEN true THEN 'Ja' WHEN false THEN 'Nein' END, '')
            || ' '::text
            || COALESCE(
              translate(
                to_char(
                  t2."count"::numeric, 'FM99,999,999,999,999,999,999,999,999,999,999,999,990'
                ),
                '.,',
                ',.'
              ),
              ''
            )
            || ' '::text
            || COALESCE(
              CASE
                WHEN abs(t2."amount") < 1e38 THEN translate(
                  to_char(
                    CASE
                      WHEN abs(t2."amount") * 100 % 1 = 0.5 THEN round(t2."amount" * 50) * 0.02
                      ELSE round(t2."amount", 2)
                    END,
                    'FM99,999,999,999,999,999,999,999,999,999,999,999,990.00'
                  ),
                  '.,',
                  ',.'
                )
                ELSE t2."amount"::text
              END,
              ''
            )
            || ' '::text
            || COALESCE(
              CASE
                WHEN abs(t2."exact") < 1e38 THEN translate(
                  to_char(
                    CASE
                      WHEN abs(t2."exact") * 100 % 1 = 0.5 THEN round(t2."exact" * 50) * 0.02
                      ELSE round(t2."exact", 2)
                    END,
                    'FM99,999,999,999,999,999,999,999,999,999,999,999,990.00'
                  ),
                  '.,',
                  ',.'
                )
                ELSE t2."exact"::text
              END,
              ''
            )
            || ' '::text
            || COALESCE(
              CASE
                WHEN abs(t2."ratio") < 1e38 THEN translate(
                  rtrim(
                    to_char(
                      CASE
                        WHEN abs(t2."ratio"::numeric) * 1000 % 1 = 0.5 THEN round(
                          t2."ratio"::numeric * 500
                        ) * 0.002
                        ELSE round(t2."ratio"::numeric, 3)
                      END,
                      'FM99,999,999,999,999,999,999,999,999,999,999,999,990.999'
                    ),
                    '.'
                  ),
                  '.,',
                  ',.'
                )
                ELSE t2."ratio"::text
              END,
              ''
            )
            || ' '::text
            || COALESCE(to_char(t2."born", 'DD"."MM"."YYYY'), '')
            || ' '::text
            || COALESCE(to_char(t2."seen_at", 'DD"."MM"."YYYY" "HH24":"MI'), '')
            || ' '::text
            || COALESCE(
              to_char(t2."chipped_at" AT TIME ZONE 'UTC', 'DD"."MM"."YYYY" "HH24":"MI" ""+0000"'),
              ''
            )
            || ' '::text
            || COALESCE(to_char(t2."feed_at", 'HH24":"MI'), '')
            || ' '::text
            || COALESCE(
              (
                substr(t2."opens_at"::text, 1, 5)
                || ' '
                || rpad(replace(substring(t2."opens_at"::text FROM '[+-].*$'), ':', ''), 5, '0')
              ),
              ''
            )
          ) AS "_instanceName",
          t2."id" AS "id",
          CASE t2."color" WHEN 'r' THEN 'RED' WHEN 'g' THEN 'GREEN' END AS "color",
          CASE t2."level" WHEN 1 THEN 'LOW' WHEN 2 THEN 'HIGH' END AS "level",
          t2."alive" AS "alive",
          t2."count" AS "count",
          t2."amount" AS "amount",
          t2."exact" AS "exact",
          CASE
            WHEN t2."ratio" = trunc(t2."ratio")
              AND abs(t2."ratio") < 1e15 THEN (t2."ratio"::text || '.0')::json
            ELSE to_json(t2."ratio")
          END AS "ratio",
          t2."born" AS "born",
          to_char(t2."seen_at", 'YYYY-MM-DD"T"HH24:MI:SS.MS') AS "seenAt",
          to_char(
            t2."chipped_at" AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'
          ) AS "chippedAt",
          t2."feed_at" AS "feedAt",
          regexp_replace(
            regexp_replace(t2."opens_at"::text, '[+-]00(:00)?$', 'Z'), '([+-]\d\d)$', '\1:00'
          ) AS "opensAt"
        FROM "t"."reading" t2
        WHERE t2."id" = page."reading_id"
        LIMIT 1
      ) j1
    ) AS "reading",
    CASE page."level" WHEN 1 THEN 'LOW' WHEN 2 THEN 'HIGH' END AS "level",
    page."count" AS "count"
  FROM (
    SELECT
      t0."level" AS "level", t0."count" AS "count", t0."reading_id" AS "reading_id", t0."id" AS "id"
    FROM "t"."remark" t0
    ORDER BY t0."id"
    LIMIT $1::bigint
    OFFSET $2::bigint
  ) page
) root
