import { readFileSync } from 'node:fs';
import type { TestDatabase } from '@lintel/testkit';

/** The logins of `postgres/logins.sql`, without the prefix `lintel_`. */
export const LOGINS = ['owner', 'auth', 'files', 'reports', 'report_data'] as const;
export type Login = (typeof LOGINS)[number];

export interface TestLogins {
  urlOf(login: Login): string;
  /** Removes them, and with them what they own. */
  drop(): Promise<void>;
}

/** Runs what `psql` runs in the container of PostgreSQL, with names of this database, and passwords that are known. */
export async function makeLogins(server: TestDatabase): Promise<TestLogins> {
  const roleOf = (login: Login): string => `${server.name}_${login}`.replaceAll('-', '_');
  const text = readFileSync(new URL('../postgres/logins.sql', import.meta.url), 'utf8');
  const named = LOGINS.reduce(
    (sql, login) => sql.replaceAll(new RegExp(`\\blintel_${login}\\b`, 'g'), roleOf(login)),
    text,
  );
  await server.query(
    named
      .replaceAll(/^\\set .*$/gm, '')
      .replaceAll(/:'(\w+)'/g, "'$1'")
      .replaceAll('DATABASE lintel ', `DATABASE "${server.name}" `)
      // Groups belong to the whole server of the test run, where they may be already.
      .replaceAll(
        /^CREATE ROLE (\w+) NOLOGIN;$/gm,
        'DO $$$$ BEGIN CREATE ROLE $1 NOLOGIN; EXCEPTION WHEN duplicate_object OR unique_violation THEN NULL; END $$$$;',
      ),
  );
  return {
    urlOf(login) {
      const url = new URL(server.url);
      url.username = roleOf(login);
      url.password = `${login}_password`;
      return url.href;
    },
    async drop() {
      await server.query(`REASSIGN OWNED BY ${roleOf('owner')} TO CURRENT_USER`);
      for (const login of LOGINS) await server.query(`DROP OWNED BY ${roleOf(login)}; DROP ROLE ${roleOf(login)}`);
    },
  };
}
