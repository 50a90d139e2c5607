/** Servers, databases, faults and waiting for tests. Development only: no `src` imports it. */

export { freePort } from './connections/free-port.ts';
export {
  type HttpFault,
  type HttpFaultProxy,
  type PassingRequest,
  startHttpFaultProxy,
} from './connections/http-fault-proxy.ts';
export { type EventStream, openEventStream, type StreamedEvent } from './connections/open-event-stream.ts';
export { startTcpProxy, type TcpProxy } from './connections/tcp-proxy.ts';
export { countRounds } from './count-rounds.ts';
export { convertByOffice } from './documents/convert-by-office.ts';
export { partOfDocument } from './documents/part-of-document.ts';
export { picturesOfPdf, textOfPdf } from './documents/read-pdf.ts';
export { eventually } from './eventually.ts';
export { programVariables } from './program-variables.ts';
export { databaseOfHome } from './resources/database-of-home.ts';
export { cloneTestDatabase, type DatabaseTemplate } from './resources/database-template.ts';
export { mountSmallFileSystem, type SmallFileSystem } from './resources/small-file-system.ts';
export { createTestBucket, type TestBucket } from './resources/test-bucket.ts';
export {
  createTestAuthority,
  replaceCertificate,
  type TestAuthority,
  type TestCertificate,
} from './resources/test-certificates.ts';
export { createTestDatabase, holdTransaction, runOnce, type TestDatabase } from './resources/test-database.ts';
export { type TestEnvironment, testEnvironment } from './resources/test-environment.ts';
export { createTestVhost, type TestVhost } from './resources/test-vhost.ts';
export { uniqueName } from './resources/unique-name.ts';
export { propertiesOf, type Settled, withConstants } from './settled.ts';
export { type ProgramOptions, type ProgramResponse, type StartedProgram, startProgram } from './start-program.ts';
