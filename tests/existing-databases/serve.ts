/**
 * The process of `startServer`: serves the application of a folder over a database, as `npm start` does, on a free port
 * of loopback. Its last line is `ready at <url>`; it ends when its parent does.
 */
import '@lintel/config/decorators';
import { join } from 'node:path';
import { INSECURITIES } from '@lintel/config';
import { environment } from '@lintel/config/environment';
import { startServices } from '@lintel/standalone';
import { createLogger } from '@lintel/telemetry';

const { DATABASE_URL: databaseUrl = '', FOLDER: folder = '' } = environment();
const secret = 'a secret of the tests of existing databases';

const services = await startServices({
  databaseUrl,
  home: join(folder, 'home'),
  properties: {
    'svc.application': join(folder, 'index.ts'),
    'svc.internal.secret': secret,
    'svc.authserver.key-encryption-secret': secret,
    'svc.rest.cursor-secret': secret,
  },
  defaults: {
    'svc.gateway.host': '127.0.0.1',
    'svc.gateway.port': '0',
    'svc.gateway.management-port': '0',
    'svc.authserver.issuer': 'http://127.0.0.1',
    'svc.demo.enabled': 'true',
    'svc.security.allow-insecure': INSECURITIES.join(','),
    'svc.log.level': 'error',
  },
  logger: createLogger({ service: 'existing', level: 'error', pretty: true }),
  onProgress: () => {},
});
process.stdout.write(`ready at ${services.url}\n`);
process.stdin.resume().once('end', () => process.exit());
