import { basename } from 'node:path/posix';
import { reportCopyBody } from '@lintel/contracts';
import { ReportFailure } from '@lintel/documents';
import { PlatformError } from '@lintel/errors';
import { bearerToken, contextOf, sendJson, shareCallerOf } from '@lintel/http';
import { type Access, assertSpecific, assertStrongLogin, exceedingPolicies, type RoleRegistry } from '@lintel/security';
import type { Router } from 'express';
import { hasRowRules } from '../definitions/catalogue-for.ts';
import { findReportById } from '../definitions/find-report.ts';
import type { ReportCatalogue } from '../definitions/report-catalogue.ts';
import { assertEditor, reportIn } from '../previews/previews.routes.ts';
import { receiveMembers } from '../previews/receive-definition.ts';
import { type RunRoutePorts, readText } from '../runs/runs.routes.ts';
import { assertSeesTemplates } from '../versions/load-version.ts';
import { copiedDefinition } from './copied-definition.ts';
import type { CopyPorts } from './report-writer.ts';

export interface CopyRoutePorts extends RunRoutePorts, CopyPorts {
  readonly currentRoles: () => RoleRegistry;
}

const REPORT = 'report_Report';
const TEMPLATE = 'report_ReportTemplate';
const WRITTEN = ['name', 'code', 'group', 'restAccess', 'definition', 'templates'];

/** `POST /report/:id/copy`: a report of the database with everything of a report (contract/reports.md#copy). */
export function registerCopyRoutes(router: Router, ports: CopyRoutePorts): void {
  const { runPorts, documents } = ports;
  router.post('/report/:id/copy', async (request, response) => {
    assertEditor(response, ports);
    const { principal, signal } = contextOf(request, response);
    const caller = ports.callerOf(response);
    const roles = ports.currentRoles();
    assertMayCopy(caller.access, hasRowRules(TEMPLATE, principal, roles));
    const catalogue = await ports.catalogueOf(request, response);
    const source = findReportById(catalogue, reportIn(request), caller);
    const { name, code = null } = receiveMembers(reportCopyBody, await readText(request, ports.maxBodyBytes));
    const definition = copiedDefinition(
      source,
      caller.access,
      (role) =>
        principal.resourceRoles.includes(role) ||
        exceedingPolicies([role], roles.resourceRoles, caller.access).length === 0,
    );
    assertFree(catalogue, { name, code });
    const { restAccess, group } = source.definition;
    const report = { name, code, restAccess, definition, ...(source.isStored && group && { group: { id: group } }) };
    // The JWT of the caller may end while the files are stored.
    const token = runPorts.serviceTokens.forRun(bearerToken(request.headers.authorization) ?? '', ports.newId());
    const stored: string[] = [];
    // A file that cannot be removed now is an upload that nothing refers to: the administration lists it.
    const discard = () => Promise.allSettled(stored.map((fileRef) => documents.remove(fileRef, true)));
    const templates: object[] = [];
    const slot = await ports.runs.take(shareCallerOf(request, principal), 'ordinary', signal);
    try {
      for (const template of source.definition.templates) {
        const { code: templateCode, outputType, default: isDefault = false, file, outputName = null } = template;
        const document = {
          name: basename(file),
          contentType: 'application/octet-stream',
          content: source.streamFile(template, (fileRef) => runPorts.files.stream(fileRef, token, signal)),
          isUpload: true,
        };
        const { fileRef, name: fileName } = await documents.store(document, token, signal).catch((cause: unknown) => {
          if (!(cause instanceof ReportFailure)) throw cause;
          throw new PlatformError('REPORT_RUN_ERROR', `Template ${templateCode}: ${cause.message}`, { cause });
        });
        stored.push(fileRef);
        const names = { code: templateCode, name: fileName, outputNamePattern: outputName };
        templates.push({ ...names, reportOutputType: outputType, isDefault, content: fileRef });
      }
    } catch (error) {
      await discard();
      throw error;
    } finally {
      slot.end();
    }
    const { status, body } = await ports.writeReport({ ...report, templates }, await token(), signal);
    if (status !== 201) {
      await discard();
      sendJson(response, status, body);
      return;
    }
    const { id } = body as { readonly id: string };
    response.setHeader('Location', `${request.baseUrl}/report/${id}`);
    sendJson(response, 201, { id, name, code });
  });
}

/**
 * Refuses before files are stored what saving would refuse after it.
 *
 * @throws DATA_UNIQUE_VIOLATION
 */
function assertFree({ reports }: ReportCatalogue, values: { readonly name: string; readonly code: string | null }) {
  const stored = reports.filter(({ isStored }) => isStored);
  for (const attribute of ['name', 'code'] as const)
    if (stored.some(({ definition }) => definition[attribute] === values[attribute]))
      throw new PlatformError('DATA_UNIQUE_VIOLATION', `Entity ${REPORT}: another instance has the same ${attribute}`);
}

/** @throws ACCESS_REST_DENIED, ACCESS_CREATE_DENIED, ACCESS_READ_DENIED, AUTH_STEP_UP_REQUIRED */
function assertMayCopy(access: Access, isRestricted: boolean): void {
  assertSpecific(access, 'rest.enabled', 'ACCESS_REST_DENIED', 'User is not allowed to use the REST API');
  assertSeesTemplates(access, isRestricted);
  const missing = (of: Access): readonly string[] => [
    ...[REPORT, TEMPLATE].filter((entity) => !of.allows(entity, 'create')),
    ...WRITTEN.filter((attribute) => !of.mayModify(REPORT, attribute)).map((attribute) => `${REPORT}.${attribute}`),
    ...(of.mayView(TEMPLATE, 'content') && of.mayModify(TEMPLATE, 'content') ? [] : [`${TEMPLATE}.content`]),
  ];
  if (missing(access).length === 0) return;
  assertStrongLogin(access, (stronger) => missing(stronger).length === 0);
  throw new PlatformError('ACCESS_CREATE_DENIED', `Creation of the ${missing(access).join(', ')} is forbidden`);
}
