/** The variables that name the servers of a test run; the test runner or jest's global setup sets them. */
export interface TestEnvironment {
  /** Id of the run, in the names of database templates. */
  readonly LINTEL_TEST_RUN: string;
  readonly LINTEL_TEST_POSTGRES_URL: string;
  readonly LINTEL_TEST_REDIS_URL: string;
  readonly LINTEL_TEST_AMQP_URL: string;
  /** Management API of the broker, user and password included. */
  readonly LINTEL_TEST_AMQP_MANAGEMENT_URL: string;
  readonly LINTEL_TEST_S3_URL: string;
  readonly LINTEL_TEST_S3_ACCESS_KEY: string;
  readonly LINTEL_TEST_S3_SECRET_KEY: string;
  /** LibreOffice. */
  readonly LINTEL_TEST_OFFICE_PROGRAM: string;
  readonly LINTEL_TEST_PDF_TO_TEXT: string;
  readonly LINTEL_TEST_PDF_TO_PICTURES: string;
  /** A browser. */
  readonly LINTEL_TEST_CHROMIUM_PROGRAM: string;
  readonly LINTEL_TEST_HELM_PROGRAM: string;
  readonly LINTEL_TEST_KUBECONFORM_PROGRAM: string;
  readonly LINTEL_TEST_KUSTOMIZE_PROGRAM: string;
  readonly LINTEL_TEST_PGBOUNCER_PROGRAM: string;
  readonly LINTEL_TEST_SLAPD_PROGRAM: string;
  /** Engines that build and run images, as JSON. */
  readonly LINTEL_TEST_ENGINES: string;
  /** Command of Compose and its first parameters, as JSON. */
  readonly LINTEL_TEST_COMPOSE: string;
  /** Folder of the sources of images: what is committed. */
  readonly LINTEL_TEST_SOURCES: string;
}

/**
 * One of the variables.
 *
 * @throws Error that says how to get it: a test never goes on without its server
 */
export function testEnvironment(name: keyof TestEnvironment): string {
  const value = process.env[name];
  if (value === undefined || value === '') {
    throw new Error(
      `${name} is not set: this test needs a real server. Run "npm test", or jest with the configuration of the repository, which starts one for files named *.int.test.ts.`,
    );
  }
  return value;
}
