/**
 * Writes the models that the tests expect again; read the difference. `LINTEL_TEST_POSTGRES_URL` names the server:
 * `node --conditions=lintel-source tools/lintel/test/introspected/write-introspected.ts`.
 */
import { writeIntrospected } from './introspect-case.ts';

await writeIntrospected('shop');
await writeIntrospected('library');
