/** Servers, databases, faults and waiting for tests. Development only: no `src` imports it. */

export { readZip } from './backends/read-zip.ts';
export { countRounds } from './count-rounds.ts';
export { databaseOfHome } from './database-of-home.ts';
export { cloneTestDatabase, type DatabaseTemplate } from './database-template.ts';
export { convertByOffice } from './documents/convert-by-office.ts';
export { picturesOfPdf, textOfPdf } from './documents/read-pdf.ts';
export { type WordDefinition, wordDocument } from './documents/word-document.ts';
export { type WorkbookDefinition, type WorkbookSheet, workbook } from './documents/workbook.ts';
export { eventually } from './eventually.ts';
export { freePort } from './free-port.ts';
export { type HttpFault, type HttpFaultProxy, type PassingRequest, startHttpFaultProxy } from './http-fault-proxy.ts';
export { type EventStream, openEventStream, type StreamedEvent } from './open-event-stream.ts';
export { programVariables } from './program-variables.ts';
export { mountSmallFileSystem, type SmallFileSystem } from './small-file-system.ts';
export { type ProgramOptions, type ProgramResponse, type StartedProgram, startProgram } from './start-program.ts';
export { startTcpProxy, type TcpProxy } from './tcp-proxy.ts';
export { createTestBucket, type TestBucket } from './test-bucket.ts';
export {
  createTestAuthority,
  replaceCertificate,
  type TestAuthority,
  type TestCertificate,
} from './test-certificates.ts';
export { createTestDatabase, holdTransaction, runOnce, type TestDatabase } from './test-database.ts';
export { type TestEnvironment, testEnvironment } from './test-environment.ts';
export { createTestVhost, type TestVhost } from './test-vhost.ts';
export { uniqueName } from './unique-name.ts';
