import type { Client } from '@lintel/client';
import { saveBlob } from '../../../downloads/save-blob.ts';
import { loadStoredReport } from '../stored/stored-report.ts';

/** Saves everything of a report of the database as one file, as it is at this moment. */
export async function exportReport(client: Client, id: string): Promise<void> {
  const { writeArchive } = await import('./report-archive.ts');
  const report = await loadStoredReport(client, id);
  if (report === null) throw new Error(`There is no report ${id}`);
  const { group, templates = [], ...values } = report;
  const archived = await Promise.all(
    templates.map(async ({ code, reportOutputType, isDefault, name, outputNamePattern, content }) => {
      const bytes = await bytesOf(client, content);
      return { code, reportOutputType, isDefault, name, outputNamePattern: outputNamePattern ?? null, bytes };
    }),
  );
  const { name, code, description, localeNames, restAccess, definition } = values;
  const zip = writeArchive({
    ...{ name, code: code ?? null, description: description ?? null, localeNames: localeNames ?? null, restAccess },
    definition,
    group: group?._instanceName ?? null,
    templates: archived,
  });
  saveBlob(new Blob([zip as Uint8Array<ArrayBuffer>], { type: 'application/zip' }), `${code ?? name}.zip`);
}

async function bytesOf(client: Client, fileRef: string): Promise<Uint8Array> {
  const blob = (await (await client.files.download(fileRef)).blob()) as unknown as Blob;
  return new Uint8Array(await blob.arrayBuffer());
}
