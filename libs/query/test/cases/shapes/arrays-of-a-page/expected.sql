-- arrays of a page
-- $1 = 2
-- $2 = 0

SELECT row_to_json(root)::text AS "json", page."id"::text AS "position_0"
FROM (
  SELECT t0."id" AS "id", t0."stops" AS "stops", t0."heights" AS "heights", t0."hosts" AS "hosts"
  FROM "t"."trail" t0
  ORDER BY t0."id"
  LIMIT $1::bigint
  OFFSET $2::bigint
) page
CROSS JOIN LATERAL (
  SELECT
    't_Trail'::text AS "_entityName",
    ('t_Trail'::text || '-'::text || COALESCE(page."id"::text, '')) AS "_instanceName",
    page."id" AS "id",
    (
      SELECT COALESCE(array_to_json(array_agg(t1."value" ORDER BY t1."position")), '[]'::json)
      FROM unnest(page."stops") WITH ORDINALITY t1 (value, position)
    ) AS "stops",
    (
      SELECT COALESCE(array_to_json(array_agg(t2."value" ORDER BY t2."position")), '[]'::json)
      FROM unnest(page."heights") WITH ORDINALITY t2 (value, position)
    ) AS "heights",
    (
      SELECT COALESCE(array_to_json(array_agg(t3."value" ORDER BY t3."position")), '[]'::json)
      FROM unnest(page."hosts") WITH ORDINALITY t3 (value, position)
    ) AS "hosts"
) root
