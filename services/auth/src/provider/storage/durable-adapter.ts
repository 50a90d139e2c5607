import { type Database, firstRowOf, hasRows, rowsOf } from '@lintel/persistence';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { ConsumedError, storedIdOf, withoutSecretId } from './model-names.ts';

const UPSERT = `INSERT INTO auth.oidc_model (model, id, payload, expires_at, grant_id, uid, user_code)
VALUES ($1, $2, $3, now() + $4::float8 * interval '1 second', $5, $6, $7)
ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at,
  grant_id = excluded.grant_id, uid = excluded.uid, user_code = excluded.user_code`;

/** Of two concurrent statements only the first changes the row. */
const CONSUME = `UPDATE auth.oidc_model
SET payload = payload || jsonb_build_object('consumed', floor(extract(epoch FROM now()))::bigint)
WHERE model = $1 AND id = $2 AND NOT payload ? 'consumed' RETURNING id`;

const DESTROY = 'DELETE FROM auth.oidc_model WHERE model = $1 AND id = $2';
const REVOKE = 'DELETE FROM auth.oidc_model WHERE model = $1 AND grant_id = $2';

/** Grants, refresh tokens and clients, in the table `auth.oidc_model`. */
export function createDurableAdapter(model: string, database: Database): Adapter {
  async function findBy(column: 'id' | 'uid' | 'user_code', value: string): Promise<AdapterPayload | undefined> {
    // PostgreSQL refuses texts with NUL, so no row has such an id.
    if (value.includes('\0')) return undefined;
    const text = `SELECT payload FROM auth.oidc_model WHERE model = $1 AND ${column} = $2`;
    const name = `auth_find_model_by_${column}`;
    const row = await firstRowOf<{ readonly payload: string }>(database, name, text, [model, value]);
    return row === undefined ? undefined : (JSON.parse(row.payload) as AdapterPayload);
  }
  return {
    async upsert(id, payload, expiresIn) {
      const { grantId, uid, userCode } = payload;
      const text = JSON.stringify(withoutSecretId(model, payload));
      const keys = [grantId ?? null, uid ?? null, userCode ?? null];
      const values = [model, storedIdOf(model, id), text, expiresIn ?? null, ...keys];
      await rowsOf(database, 'auth_upsert_model', UPSERT, values);
    },
    async find(id) {
      const payload = await findBy('id', storedIdOf(model, id));
      return payload && { ...payload, jti: id };
    },
    findByUid: (uid) => findBy('uid', uid),
    findByUserCode: (userCode) => findBy('user_code', userCode),
    /** @throws ConsumedError if it was consumed already, for example by a concurrent request */
    async consume(id) {
      if (!(await hasRows(database, 'auth_consume_model', CONSUME, [model, storedIdOf(model, id)])))
        throw new ConsumedError(model);
    },
    async destroy(id) {
      await rowsOf(database, 'auth_destroy_model', DESTROY, [model, storedIdOf(model, id)]);
    },
    async revokeByGrantId(grantId) {
      await rowsOf(database, 'auth_revoke_models', REVOKE, [model, grantId]);
    },
  };
}
