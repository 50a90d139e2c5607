import { defineMigration } from '@lintel/application';

export const migration1796046653797 = defineMigration({
  name: '1796046653797-search-indexes',
  up: [
    "CREATE INDEX CONCURRENTLY \"ix_customer__name__75a00b83\" ON \"sales\".\"customer\" USING gin ((setweight(to_tsvector('pg_catalog.simple', coalesce(regexp_replace(translate(regexp_replace(lower(normalize(\"name\", NFKD)), '[\\u0300-\\u036f]+', '', 'g'), 'øłđħς', 'oldhσ'), '[^0-9a-z\\u00c0-\\u1fff\\u2c00-\\u2dff\\u3005-\\u3007\\u3031-\\ud7ff\\uf900-\\uffef]+', ' ', 'g'), '')), 'A')))",
    "CREATE INDEX CONCURRENTLY \"ix_customer__name__b0bd3c38\" ON \"sales\".\"customer\" USING gin ((regexp_replace(translate(regexp_replace(lower(normalize(\"name\", NFKD)), '[\\u0300-\\u036f]+', '', 'g'), 'øłđħς', 'oldhσ'), '[^0-9a-z\\u00c0-\\u1fff\\u2c00-\\u2dff\\u3005-\\u3007\\u3031-\\ud7ff\\uf900-\\uffef]+', ' ', 'g')) gin_trgm_ops)",
    "CREATE INDEX CONCURRENTLY \"ix_order__number__notes__f024e52a\" ON \"sales\".\"order\" USING gin ((setweight(to_tsvector('pg_catalog.simple', coalesce(regexp_replace(translate(regexp_replace(lower(normalize(\"number\", NFKD)), '[\\u0300-\\u036f]+', '', 'g'), 'øłđħς', 'oldhσ'), '[^0-9a-z\\u00c0-\\u1fff\\u2c00-\\u2dff\\u3005-\\u3007\\u3031-\\ud7ff\\uf900-\\uffef]+', ' ', 'g'), '')), 'A') || '.:1'::tsvector || setweight(to_tsvector('pg_catalog.english', coalesce(regexp_replace(translate(regexp_replace(lower(normalize(\"notes\", NFKD)), '[\\u0300-\\u036f]+', '', 'g'), 'øłđħς', 'oldhσ'), '[^0-9a-z\\u00c0-\\u1fff\\u2c00-\\u2dff\\u3005-\\u3007\\u3031-\\ud7ff\\uf900-\\uffef]+', ' ', 'g'), '')), 'D')))",
    "CREATE INDEX CONCURRENTLY \"ix_product__name__sku__4e5e2c8c\" ON \"sales\".\"product\" USING gin ((setweight(to_tsvector('pg_catalog.simple', coalesce(regexp_replace(translate(regexp_replace(lower(normalize(\"name\", NFKD)), '[\\u0300-\\u036f]+', '', 'g'), 'øłđħς', 'oldhσ'), '[^0-9a-z\\u00c0-\\u1fff\\u2c00-\\u2dff\\u3005-\\u3007\\u3031-\\ud7ff\\uf900-\\uffef]+', ' ', 'g'), '')), 'A') || '.:1'::tsvector || setweight(to_tsvector('pg_catalog.simple', coalesce(regexp_replace(translate(regexp_replace(lower(normalize(\"sku\", NFKD)), '[\\u0300-\\u036f]+', '', 'g'), 'øłđħς', 'oldhσ'), '[^0-9a-z\\u00c0-\\u1fff\\u2c00-\\u2dff\\u3005-\\u3007\\u3031-\\ud7ff\\uf900-\\uffef]+', ' ', 'g'), '')), 'A')))",
    "CREATE INDEX CONCURRENTLY \"ix_product__name__b0bd3c38\" ON \"sales\".\"product\" USING gin ((regexp_replace(translate(regexp_replace(lower(normalize(\"name\", NFKD)), '[\\u0300-\\u036f]+', '', 'g'), 'øłđħς', 'oldhσ'), '[^0-9a-z\\u00c0-\\u1fff\\u2c00-\\u2dff\\u3005-\\u3007\\u3031-\\ud7ff\\uf900-\\uffef]+', ' ', 'g')) gin_trgm_ops)",
  ],
  down: [
    'DROP INDEX CONCURRENTLY "sales"."ix_product__name__b0bd3c38"',
    'DROP INDEX CONCURRENTLY "sales"."ix_product__name__sku__4e5e2c8c"',
    'DROP INDEX CONCURRENTLY "sales"."ix_order__number__notes__f024e52a"',
    'DROP INDEX CONCURRENTLY "sales"."ix_customer__name__b0bd3c38"',
    'DROP INDEX CONCURRENTLY "sales"."ix_customer__name__75a00b83"',
  ],
});
