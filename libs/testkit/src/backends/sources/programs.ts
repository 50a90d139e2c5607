import { type BackendSource, unavailable } from '../backend.ts';
import { findProgram } from './find-program.ts';

/** LibreOffice without windows, and fonts: text has no width without any. */
export const OFFICE_PACKAGES = 'libreoffice-calc-nogui libreoffice-writer-nogui fonts-liberation fonts-dejavu-core';

/** The browser, and fonts. */
export const CHROMIUM_PACKAGES = 'chromium fonts-liberation fonts-dejavu-core';

/** Returns programs by the variables that tests read; the tests run them. */
const programs =
  (wanted: Readonly<Record<string, readonly string[]>>): BackendSource =>
  async () => {
    const found = Object.entries(wanted).map(([variable, names]) => [variable, findProgram(...names)] as const);
    const missing = found.filter(([, program]) => program === undefined).map(([variable]) => wanted[variable]?.[0]);
    if (missing.length > 0) return unavailable(`${missing.join(' and ')} is not installed`);
    return {
      environment: Object.fromEntries(found) as Record<string, string>,
      origin: found.map(([, program]) => program).join(', '),
      stop: async () => undefined,
    };
  };

/** LibreOffice, which converts documents. */
export const officePrograms = programs({ LINTEL_TEST_OFFICE_PROGRAM: ['soffice', 'libreoffice'] });

/** Poppler's tools, which read PDF files. */
export const pdfPrograms = programs({
  LINTEL_TEST_PDF_TO_TEXT: ['pdftotext'],
  LINTEL_TEST_PDF_TO_PICTURES: ['pdftoppm'],
});

/** PgBouncer, which tests start over their own servers. */
export const pgBouncerProgram = programs({ LINTEL_TEST_PGBOUNCER_PROGRAM: ['pgbouncer'] });

/** OpenLDAP's server, which tests start themselves. */
export const slapdProgram = programs({ LINTEL_TEST_SLAPD_PROGRAM: ['slapd'] });

/** Chromium, which prints pages and shows them. */
export const chromiumPrograms = programs({
  LINTEL_TEST_CHROMIUM_PROGRAM: ['chromium', 'chromium-browser', 'google-chrome-stable', 'google-chrome'],
});
