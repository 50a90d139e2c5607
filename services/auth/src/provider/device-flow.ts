import type { IncomingMessage } from 'node:http';
import {
  confirmDevicePage,
  type DeviceProblem,
  deviceCodePage,
  deviceDonePage,
  type Page,
  pageContextOf,
  pageHeaders,
} from '@lintel/login';
import type { Configuration, KoaContextWithOIDC } from 'oidc-provider';
import { splitScope } from '../tokens/token-request.ts';

/** User codes: 20 letters without vowels, so that no code is a word, and 25 billion of them (RFC 8628 §6.1). */
const CHARSET = 'base-20';
const MASK = '****-****';

const PROBLEMS: Readonly<Record<string, DeviceProblem>> = {
  NoCodeError: 'wrong',
  NotFoundError: 'wrong',
  ExpiredError: 'expired',
  AlreadyUsedError: 'used',
  AbortedError: 'refused',
};

const WRONG_CODE = Symbol('lintel wrong user code');

/** Whether the request sent a code that does not exist: a guess. */
export const hasWrongCode = (request: IncomingMessage): boolean => WRONG_CODE in request;

/**
 * The device flow of oidc-provider (RFC 8628) with our pages.
 *
 * @param apiScope `svc.authserver.scope`
 */
export function deviceFlow(apiScope: string): NonNullable<NonNullable<Configuration['features']>['deviceFlow']> {
  return {
    enabled: true,
    charset: CHARSET,
    mask: MASK,
    userCodeInputSource(context, _form, out, error) {
      const problem = error === undefined && out === undefined ? undefined : (PROBLEMS[error?.name ?? ''] ?? 'failed');
      if (problem === 'wrong') Object.assign(context.req, { [WRONG_CODE]: true });
      const userCode = problem === undefined ? sentCode(context) : userCodeOf(error);
      show(
        context,
        deviceCodePage(pageContextOf(context.req), proofOf(context), {
          userCode,
          ...(problem === undefined ? {} : { problem }),
        }),
      );
    },
    userCodeConfirmSource(context, _form, client, _deviceInfo, userCode) {
      const name = client.clientName ?? client.clientId;
      show(
        context,
        confirmDevicePage(pageContextOf(context.req), proofOf(context), {
          client: name,
          userCode,
          scopes: scopesOf(context),
          apiScope,
        }),
      );
    },
    successSource(context) {
      const { client } = context.oidc;
      show(context, deviceDonePage(pageContextOf(context.req), client?.clientName ?? client?.clientId ?? ''));
    },
  };
}

function show(context: KoaContextWithOIDC, { status, html }: Page): void {
  context.set({ ...pageHeaders() });
  context.status = status;
  context.body = html;
}

/** oidc-provider compares it when the form is sent. */
function proofOf({ oidc: { session } }: KoaContextWithOIDC): string {
  const secret = session?.state?.['secret'];
  return typeof secret === 'string' ? secret : '';
}

/** The code in the address of the page (`verification_uri_complete`); the user confirms it. */
function sentCode({ req }: KoaContextWithOIDC): string {
  const { originalUrl = '' } = req as IncomingMessage & { readonly originalUrl?: string };
  return new URL(originalUrl, 'http://localhost').searchParams.get('user_code') ?? '';
}

/** What the device has asked for; without it, all that its client may have. */
function scopesOf({ oidc: { entities } }: KoaContextWithOIDC): readonly string[] {
  const asked: unknown = entities.DeviceCode?.params?.['scope'];
  return splitScope(typeof asked === 'string' ? asked : (entities.Client?.scope ?? ''));
}

const userCodeOf = (error: unknown): string =>
  typeof error === 'object' && error !== null && 'userCode' in error && typeof error.userCode === 'string'
    ? error.userCode
    : '';
