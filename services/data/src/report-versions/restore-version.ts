import type { Principal } from '@lintel/contracts';
import { currentWriteDependencies, updateEntity, type WriteDependencies } from '@lintel/entities';
import { PlatformError } from '@lintel/errors';
import type { Enumeration } from '@lintel/metadata';
import type { Access } from '@lintel/security';
import type { ReportVersionStore } from './create-report-version-store.ts';
import type { ReportVersion, ReportVersionInfo } from './report-version.ts';
import { outputTypeOf, REPORT, REPORT_ATTRIBUTES, TEMPLATE, TEMPLATE_ATTRIBUTES } from './shown-version.ts';

export interface RestoreDeps {
  readonly store: ReportVersionStore;
  readonly write: WriteDependencies;
  readonly outputTypes: Enumeration;
}

/** A version to restore, and who restores it. */
export interface Restoration {
  readonly reportId: string;
  readonly version: ReportVersion;
  readonly comment: string | null;
  readonly ifMatch: string | undefined;
  readonly url: string;
}

/**
 * Saves the content of a version as the report, with the rights, rules and listeners of an update through the API.
 *
 * @returns the version that was made, or the newest one if the report has this content already
 */
export async function restoreVersion(
  { reportId, version, comment, ifMatch, url }: Restoration,
  caller: Principal,
  { store, write, outputTypes }: RestoreDeps,
  signal: AbortSignal,
): Promise<ReportVersionInfo> {
  const newest = await store.load(reportId);
  const body = JSON.stringify(reportOf(version, await store.templateIds(reportId), outputTypes));
  const request = {
    entityName: REPORT,
    id: reportId,
    body,
    responsePlan: undefined,
    ifMatch,
    returns: 'minimal',
    url,
    idempotentCall: undefined,
  } as const;
  await updateEntity(request, caller, await currentWriteDependencies(write), signal);
  const restored = await store.findRestored(reportId, newest?.number ?? 0, version.content);
  if (restored !== undefined && comment !== null) await store.setComment(reportId, restored, comment);
  const made = await store.load(reportId, restored);
  // Deleted by another request since.
  if (made === undefined) throw unknownVersion();
  const { content: _content, ...info } = made;
  return info;
}

/** The refusal of a version that does not exist, or whose report the caller does not see. */
export const unknownVersion = (): PlatformError => new PlatformError('REQ_NOT_FOUND', 'There is no such version');

/**
 * Asserts that the caller may change everything that versions have: an update ignores other attributes, and a report
 * that is restored in part is no version of it.
 *
 * @throws PlatformError ACCESS_UPDATE_DENIED
 */
export function assertMayRestore(access: Access, mayReadTemplates: boolean): void {
  const denied = [
    ...REPORT_ATTRIBUTES.filter((name) => !access.mayModify(REPORT, name)).map((name) => `${REPORT}.${name}`),
    ...TEMPLATE_ATTRIBUTES.filter((name) => !access.mayModify(TEMPLATE, name)).map((name) => `${TEMPLATE}.${name}`),
  ];
  if (!mayReadTemplates) denied.push(TEMPLATE);
  if (denied.length > 0)
    throw new PlatformError('ACCESS_UPDATE_DENIED', `Updating of the ${denied.join(', ')} is forbidden`);
}

/** The body of the update; templates are those that the report has now, by their codes. */
function reportOf({ content }: ReportVersion, templateIds: ReadonlyMap<string, string>, outputTypes: Enumeration) {
  const { group, templates, ...values } = content;
  return {
    ...values,
    group: group === null ? null : { id: group },
    templates: templates.map((template) => {
      const id = templateIds.get(template.code);
      return { ...(id !== undefined && { id }), ...template, reportOutputType: outputTypeOf(template, outputTypes) };
    }),
  };
}
