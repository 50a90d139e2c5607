import type { Client } from '@lintel/client';
import { REPORT } from '../stored/stored-report.ts';
import type { ReportArchive } from './report-archive.ts';

/**
 * Stores the report of a file: a new one, or a new state of the report with its code, whose other templates are
 * removed. The files of the templates are uploaded before; nothing of a report changes unless all of it does.
 *
 * @returns the id of the report
 */
export async function importReport(client: Client, file: Blob): Promise<string> {
  const { readArchive } = await import('./report-archive.ts');
  const archive = readArchive(new Uint8Array(await file.arrayBuffer()));
  return storeArchive(client, archive, await storedOf(client, archive));
}

/** Stores a report: a new one, or a new state of the stored one. */
export async function storeArchive(
  client: Client,
  { group, templates, ...values }: ReportArchive,
  stored: Stored | undefined,
): Promise<string> {
  const content = await Promise.all(
    templates.map(async ({ bytes, ...template }) => {
      const { fileRef } = await client.files.upload(new Blob([bytes as Uint8Array<ArrayBuffer>]) as never, {
        name: template.name,
      });
      const known = stored?.templates?.find(({ code }) => code === template.code);
      return { ...template, ...(known !== undefined && { id: known.id }), content: fileRef };
    }),
  );
  const groupId = group === null ? undefined : await groupOf(client, group);
  const report = { ...values, ...(groupId !== undefined && { group: { id: groupId } }), templates: content };
  if (stored === undefined) return String((await client.create(REPORT, report as never)).id);
  await client.update(REPORT, stored.id, report as never);
  return stored.id;
}

interface Stored {
  readonly id: string;
  /** Absent if the user does not see them. */
  readonly templates?: readonly { readonly id: string; readonly code: string }[];
}

/** The report that has the code, or the name of one without a code. */
async function storedOf(client: Client, { code, name }: ReportArchive): Promise<Stored | undefined> {
  const condition =
    code === null || code === undefined
      ? { property: 'name', operator: '=' as const, value: name }
      : { property: 'code', operator: '=' as const, value: code };
  const fetchPlan = { code: true, templates: '_local' } as const;
  const [found] = await client.list(REPORT, { filter: { conditions: [condition] }, fetchPlan });
  return found as unknown as Stored | undefined;
}

/** The group of the title, if the user sees it. */
async function groupOf(client: Client, title: string): Promise<string | undefined> {
  const filter = { conditions: [{ property: 'title', operator: '=' as const, value: title }] };
  const [found] = await client.list('report_ReportGroup', { filter, fetchPlan: '_instance_name' });
  return found === undefined ? undefined : String(found.id);
}
