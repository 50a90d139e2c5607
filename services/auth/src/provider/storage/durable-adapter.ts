import type { Database } from '@lintel/persistence';
import type { Adapter, AdapterPayload } from 'oidc-provider';
import { ConsumedError, storedIdOf, withoutSecretId } from './model-names.ts';

interface PayloadRow {
  readonly id: string;
  readonly payload: string;
}

const UPSERT = `INSERT INTO auth.oidc_model (model, id, payload, expires_at, grant_id, uid, user_code)
VALUES ($1, $2, $3, now() + $4::float8 * interval '1 second', $5, $6, $7)
ON CONFLICT (model, id) DO UPDATE SET payload = excluded.payload, expires_at = excluded.expires_at,
  grant_id = excluded.grant_id, uid = excluded.uid, user_code = excluded.user_code`;

/** Of two concurrent statements only the first changes the row. */
const CONSUME = `UPDATE auth.oidc_model
SET payload = payload || jsonb_build_object('consumed', floor(extract(epoch FROM now()))::bigint)
WHERE model = $1 AND id = $2 AND NOT payload ? 'consumed' RETURNING id`;

/** Grants, refresh tokens and clients, in the table `auth.oidc_model`. */
export class DurableAdapter implements Adapter {
  readonly #model: string;
  readonly #database: Database;

  constructor(model: string, database: Database) {
    this.#model = model;
    this.#database = database;
  }

  async upsert(id: string, payload: AdapterPayload, expiresIn?: number): Promise<void> {
    await this.#database.query({
      name: 'auth_upsert_model',
      text: UPSERT,
      values: [
        this.#model,
        storedIdOf(this.#model, id),
        JSON.stringify(withoutSecretId(this.#model, payload)),
        expiresIn ?? null,
        payload.grantId ?? null,
        payload.uid ?? null,
        payload.userCode ?? null,
      ],
    });
  }

  async find(id: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.#select('id', storedIdOf(this.#model, id));
    return row === undefined ? undefined : { ...(JSON.parse(row.payload) as AdapterPayload), jti: id };
  }

  async findByUid(uid: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.#select('uid', uid);
    return row === undefined ? undefined : (JSON.parse(row.payload) as AdapterPayload);
  }

  async findByUserCode(userCode: string): Promise<AdapterPayload | undefined> {
    const [row] = await this.#select('user_code', userCode);
    return row === undefined ? undefined : (JSON.parse(row.payload) as AdapterPayload);
  }

  /** @throws ConsumedError if it was consumed already, for example by a concurrent request */
  async consume(id: string): Promise<void> {
    const rows = await this.#database.query({
      name: 'auth_consume_model',
      text: CONSUME,
      values: [this.#model, storedIdOf(this.#model, id)],
    });
    if (rows.length === 0) throw new ConsumedError(this.#model);
  }

  async destroy(id: string): Promise<void> {
    await this.#database.query({
      name: 'auth_destroy_model',
      text: 'DELETE FROM auth.oidc_model WHERE model = $1 AND id = $2',
      values: [this.#model, storedIdOf(this.#model, id)],
    });
  }

  async revokeByGrantId(grantId: string): Promise<void> {
    await this.#database.query({
      name: 'auth_revoke_models',
      text: 'DELETE FROM auth.oidc_model WHERE model = $1 AND grant_id = $2',
      values: [this.#model, grantId],
    });
  }

  async #select(column: 'id' | 'uid' | 'user_code', value: string): Promise<readonly PayloadRow[]> {
    // PostgreSQL refuses texts with NUL, so no row has such an id.
    if (value.includes('\0')) return [];
    return this.#database.query<PayloadRow>({
      name: `auth_find_model_by_${column}`,
      text: `SELECT id, payload FROM auth.oidc_model WHERE model = $1 AND ${column} = $2`,
      values: [this.#model, value],
    });
  }
}
