-- what a search finds is aggregated
-- $1 = "(garten:*BA | garten)"
-- $2 = "garten"
-- $3 = 100
-- $4 = 0

SELECT row_to_json(root)::text AS "json"
FROM (
  SELECT page."c0" AS "note", page."c1" AS "n"
  FROM (
    SELECT selected."c0" AS "c0", selected."c1" AS "c1"
    FROM (
      SELECT t0."note" AS "c0", count(*) AS "c1"
      FROM "t"."article" t0
      WHERE (
        (
          (
            setweight(
              to_tsvector(
                'pg_catalog.simple',
                coalesce(
                  regexp_replace(
                    translate(
                      regexp_replace(
                        lower(normalize(t0."code", NFKD)), '[\u0300-\u036f]+', '', 'g'
                      ),
                      'øłđħς',
                      'oldhσ'
                    ),
                    '[^0-9a-z\u00c0-\u1fff\u2c00-\u2dff\u3005-\u3007\u3031-\ud7ff\uf900-\uffef]+',
                    ' ',
                    'g'
                  ),
                  ''
                )
              ),
              'B'
            )
            || '.:1'::tsvector
            || setweight(
              to_tsvector(
                'pg_catalog.german',
                coalesce(
                  regexp_replace(
                    translate(
                      regexp_replace(
                        lower(normalize(t0."title", NFKD)), '[\u0300-\u036f]+', '', 'g'
                      ),
                      'øłđħς',
                      'oldhσ'
                    ),
                    '[^0-9a-z\u00c0-\u1fff\u2c00-\u2dff\u3005-\u3007\u3031-\ud7ff\uf900-\uffef]+',
                    ' ',
                    'g'
                  ),
                  ''
                )
              ),
              'A'
            )
            || '.:1'::tsvector
            || setweight(
              to_tsvector(
                'pg_catalog.german',
                coalesce(
                  regexp_replace(
                    translate(
                      regexp_replace(
                        lower(normalize(t0."body", NFKD)), '[\u0300-\u036f]+', '', 'g'
                      ),
                      'øłđħς',
                      'oldhσ'
                    ),
                    '[^0-9a-z\u00c0-\u1fff\u2c00-\u2dff\u3005-\u3007\u3031-\ud7ff\uf900-\uffef]+',
                    ' ',
                    'g'
                  ),
                  ''
                )
              ),
              'D'
            )
          ) @@ (
            to_tsquery('pg_catalog.simple', $1::text) || to_tsquery('pg_catalog.german', $1::text)
          )
          OR (
            regexp_replace(
              translate(
                regexp_replace(lower(normalize(t0."title", NFKD)), '[\u0300-\u036f]+', '', 'g'),
                'øłđħς',
                'oldhσ'
              ),
              '[^0-9a-z\u00c0-\u1fff\u2c00-\u2dff\u3005-\u3007\u3031-\ud7ff\uf900-\uffef]+',
              ' ',
              'g'
            ) %> $2::text
            AND (
              SELECT bool_and(
                word <% regexp_replace(
                  translate(
                    regexp_replace(lower(normalize(t0."title", NFKD)), '[\u0300-\u036f]+', '', 'g'),
                    'øłđħς',
                    'oldhσ'
                  ),
                  '[^0-9a-z\u00c0-\u1fff\u2c00-\u2dff\u3005-\u3007\u3031-\ud7ff\uf900-\uffef]+',
                  ' ',
                  'g'
                )
              )
              FROM unnest(string_to_array($2::text, ' ')) word
            )
          )
        )
      )
      GROUP BY t0."note"
    ) selected
    LIMIT $3::bigint
    OFFSET $4::bigint
  ) page
) root
