-- a search is beside the filter under the row conditions
-- $1 = "1"
-- $2 = "(garten:*BA | garten)"
-- $3 = "garten"

SELECT count(*)::text AS "count"
FROM "t"."article" t0
WHERE t0."id" <> $1::integer
  AND (
    (
      (
        (
          setweight(
            to_tsvector(
              'pg_catalog.simple',
              coalesce(
                regexp_replace(
                  translate(
                    regexp_replace(lower(normalize(t0."code", NFKD)), '[\u0300-\u036f]+', '', 'g'),
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
                    regexp_replace(lower(normalize(t0."title", NFKD)), '[\u0300-\u036f]+', '', 'g'),
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
                    regexp_replace(lower(normalize(t0."body", NFKD)), '[\u0300-\u036f]+', '', 'g'),
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
          to_tsquery('pg_catalog.simple', $2::text) || to_tsquery('pg_catalog.german', $2::text)
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
          ) %> $3::text
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
            FROM unnest(string_to_array($3::text, ' ')) word
          )
        )
      )
    )
    AND t0."note" IS NOT NULL
  )
