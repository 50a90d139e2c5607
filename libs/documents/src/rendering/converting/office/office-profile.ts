import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';

const item = (path: string, name: string, value: string): string =>
  `<item oor:path="/org.openoffice.${path}"><prop oor:name="${name}" oor:op="fuse"><value>${value}</value></prop></item>`;

/** A port without a listener. */
const CLOSED_PORT = { host: '127.0.0.1', port: '9' };

/**
 * Disables macros, active content and updates of links, and sends every request to a proxy that does not exist.
 * Formulas are computed on loading, because documents of reports do not contain their results.
 */
const SETTINGS = [
  item('Office.Common/Security/Scripting', 'MacroSecurityLevel', '3'),
  item('Office.Common/Security/Scripting', 'DisableMacrosExecution', 'true'),
  item('Office.Common/Security/Scripting', 'DisableActiveContent', 'true'),
  item('Office.Common/Security/Scripting', 'BlockUntrustedRefererLinks', 'true'),
  item('Office.Writer/Content/Update', 'Link', '0'),
  item('Office.Calc/Content/Update', 'Link', '2'),
  item('Office.Calc/Formula/Load', 'OOXMLRecalcMode', '0'),
  item('Office.Common/Misc', 'FirstRun', 'false'),
  item('Inet/Settings', 'ooInetProxyType', '1'),
  item('Inet/Settings', 'ooInetHTTPProxyName', CLOSED_PORT.host),
  item('Inet/Settings', 'ooInetHTTPProxyPort', CLOSED_PORT.port),
  item('Inet/Settings', 'ooInetHTTPSProxyName', CLOSED_PORT.host),
  item('Inet/Settings', 'ooInetHTTPSProxyPort', CLOSED_PORT.port),
  item('Inet/Settings', 'ooInetFTPProxyName', CLOSED_PORT.host),
  item('Inet/Settings', 'ooInetFTPProxyPort', CLOSED_PORT.port),
  item('Inet/Settings', 'ooInetNoProxy', ''),
];

/** Writes these settings to a profile folder. Two processes must not share one. */
export async function writeOfficeProfile(folder: string): Promise<void> {
  await mkdir(join(folder, 'user'), { recursive: true, mode: 0o700 });
  const xml =
    '<?xml version="1.0" encoding="UTF-8"?>\n' +
    '<oor:items xmlns:oor="http://openoffice.org/2001/registry" xmlns:xs="http://www.w3.org/2001/XMLSchema"' +
    ` xmlns:xsi="http://www.w3.org/2001/XMLSchema-instance">${SETTINGS.join('')}</oor:items>`;
  await writeFile(join(folder, 'user', 'registrymodifications.xcu'), xml);
}
