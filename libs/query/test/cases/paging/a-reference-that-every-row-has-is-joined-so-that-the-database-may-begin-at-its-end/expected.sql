-- a reference that every row has is joined so that the database may begin at its end
-- $1 = "Mia"
-- $2 = "Bob_100%"
-- $3 = "3"
-- $4 = 2

SELECT
  row_to_json(root)::text AS "json",
  page."name"::text AS "position_0",
  page."name_t2"::text AS "position_1",
  page."id"::text AS "position_2"
FROM (
  SELECT *
  FROM (
    (
      SELECT
        t0."staff_id" AS "staff_id",
        t0."cost" AS "cost",
        t0."id" AS "id",
        t1."name" AS "name",
        t2."name" AS "name_t2"
      FROM "t"."visit" t0
      JOIN (
        "t"."pet" t1 LEFT JOIN "t"."owner" t2 ON t2."id" = t1."owner_id"
      ) ON t1."id" = t0."pet_id"
      WHERE t1."name" = $1::text AND t2."name" = $2::text AND t0."id" < $3::bigint
      ORDER BY t1."name", t2."name" DESC, t0."id" DESC
      LIMIT $4::bigint
    ) UNION ALL (
      SELECT
        t0."staff_id" AS "staff_id",
        t0."cost" AS "cost",
        t0."id" AS "id",
        t1."name" AS "name",
        t2."name" AS "name_t2"
      FROM "t"."visit" t0
      JOIN (
        "t"."pet" t1 LEFT JOIN "t"."owner" t2 ON t2."id" = t1."owner_id"
      ) ON t1."id" = t0."pet_id"
      WHERE t1."name" = $1::text AND t2."name" < $2::text
      ORDER BY t1."name", t2."name" DESC, t0."id" DESC
      LIMIT $4::bigint
    ) UNION ALL (
      SELECT
        t0."staff_id" AS "staff_id",
        t0."cost" AS "cost",
        t0."id" AS "id",
        t1."name" AS "name",
        t2."name" AS "name_t2"
      FROM "t"."visit" t0
      JOIN (
        "t"."pet" t1 LEFT JOIN "t"."owner" t2 ON t2."id" = t1."owner_id"
      ) ON t1."id" = t0."pet_id"
      WHERE t1."name" > $1::text
      ORDER BY t1."name", t2."name" DESC, t0."id" DESC
      LIMIT $4::bigint
    )
  ) page
  ORDER BY page."name", page."name_t2" DESC, page."id" DESC
  LIMIT $4::bigint
) page
CROSS JOIN LATERAL (
  SELECT
    't_Visit'::text AS "_entityName",
    json_build_array(
      (
        SELECT CASE
          WHEN t3."entity_name" IN ('t_Vet') THEN COALESCE(
            (
              SELECT ('Dr. '::text || COALESCE(t5."name"::text, ''))
              FROM "t"."vet" t4
              JOIN "t"."staff" t5 ON t5."id" = t4."id"
              WHERE t4."id" = t3."id"
              LIMIT 1
            ),
            ''
          )
          ELSE COALESCE(t3."name"::text, '')
        END
        FROM "t"."staff" t3
        WHERE t3."id" = page."staff_id"
        LIMIT 1
      ),
      page."cost"::text
    ) AS "_instanceName",
    page."id" AS "id"
) root
