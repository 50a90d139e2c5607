import {
  booleanValue,
  defineSettings,
  durationMsValue,
  integerValue,
  type SettingsOf,
  setting,
  textValue,
} from '@lintel/config';
import type { Logger } from '@lintel/telemetry';

/** Paths and limits of the programs that convert documents. */
export const converterSettings = defineSettings({
  officePath: setting(
    'svc.reports.office-path',
    textValue().optional(),
    'Folder or program of LibreOffice; without it the usual folders are searched',
  ),
  conversions: setting(
    'svc.reports.max-conversions',
    integerValue({ min: 1, max: 4 }).default(2),
    'Conversions by LibreOffice at the same time, and as many pages of Chromium',
  ),
  officeTimeoutMs: setting(
    'svc.reports.doc-formatter-timeout',
    durationMsValue().default(20_000),
    'Longest conversion by LibreOffice, also longest wait for a free one; then it is killed',
  ),
  officeRetries: setting(
    'svc.reports.count-of-retry',
    integerValue({ min: 1, max: 10 }).default(3),
    'Attempts to convert a document by LibreOffice',
  ),
  /** Address space of a LibreOffice, of which it uses a part: a document that needs more is an attack. */
  officeMemoryBytes: 4 * 1024 ** 3,
  chromiumPath: setting(
    'svc.reports.chromium-path',
    textValue().optional(),
    'Program of Chromium, for PDF of html; without it the usual folders are searched',
  ),
  /** Longest printing of a page by Chromium, also longest wait for a free page. */
  chromiumTimeoutMs: 60_000,
  chromiumSandbox: setting(
    'svc.reports.chromium-sandbox',
    booleanValue().default(true),
    'Whether Chromium uses its own sandbox; false if the container is the sandbox',
  ),
});

export type ConverterSettings = SettingsOf<typeof converterSettings>;

export interface ConverterPorts {
  /** Reads a picture from another server, or refuses it. */
  readonly readRemote: (url: string, signal: AbortSignal) => Promise<Uint8Array>;
  readonly logger: Logger;
}
