import type { Client } from '@lintel/client';

/** A template of a report of the database. */
export interface StoredTemplate {
  readonly id: string;
  readonly code: string;
  readonly reportOutputType: string;
  readonly isDefault: boolean;
  /** File name; its extension selects the formatter. */
  readonly name: string;
  /** Reference of the file. */
  readonly content: string;
  readonly outputNamePattern?: string | null;
}

/** A report of the database. */
export interface StoredReport {
  readonly id: string;
  readonly name: string;
  readonly code?: string | null;
  readonly description?: string | null;
  readonly localeNames?: string | null;
  readonly restAccess: boolean;
  /** JSON. */
  readonly definition: string;
  readonly group?: { readonly id: string; readonly _instanceName?: string } | null;
  readonly templates?: readonly StoredTemplate[];
}

export const REPORT = 'report_Report';

const PLAN = { $extends: '_local', group: '_instance_name', templates: '_local' } as const;

/** Reads a report of the database with its templates; null for one of the application. */
export async function loadStoredReport(client: Client, id: string, signal?: AbortSignal): Promise<StoredReport | null> {
  const filter = { conditions: [{ property: 'id', operator: '=' as const, value: id }] };
  const [found] = await client.list(REPORT, { filter, fetchPlan: PLAN, ...(signal !== undefined && { signal }) });
  return (found ?? null) as unknown as StoredReport | null;
}
