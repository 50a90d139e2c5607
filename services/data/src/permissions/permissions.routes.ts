import { contextOf, sendJson } from '@lintel/http';
import type { Model } from '@lintel/metadata';
import type { AccessOf } from '@lintel/security';
import type { Router } from 'express';
import { listPermissions } from './list-permissions.ts';

/** `GET /permissions` (contract/user.md#permissions). Query parameters are ignored (contract/decisions.md#34). */
export function registerPermissionRoutes(
  router: Router,
  options: { readonly path: string; readonly currentModel: () => Model; readonly accessOf: AccessOf },
): void {
  router.get(options.path, (request, response) => {
    const { principal } = contextOf(request, response);
    sendJson(response, 200, listPermissions(options.currentModel(), options.accessOf(principal), principal));
  });
}
