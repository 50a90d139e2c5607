import type { SecurityLog } from '@lintel/telemetry';
import type { Request, Response } from 'express';
import type { LoginHistory } from '../../credentials/login-history.ts';
import type { LoginRecords } from '../../credentials/login-records.ts';
import type { Interaction, Interactions } from '../../interactions.ts';
import type { AccountDirectory, ClientDirectory } from '../../login-ports.ts';
import type { LoginForm } from '../../pages/pages.ts';
import type { FactorChecks } from '../factors/check-code.ts';
import type { FactorStore } from '../factors/factor-store.ts';
import type { OwnFactors } from '../factors/own-factors.ts';
import type { Passkeys } from '../passkeys/create-passkeys.ts';
import type { RequiredAcr } from '../requirement.ts';
import type { FactorDecision } from './factor-pages.ts';
import type { PendingLogins } from './pending-logins.ts';

/** A login whose first factor was right. */
export interface FirstFactor {
  readonly username: string;
  /** Methods of RFC 8176. */
  readonly methods: readonly string[];
  /** Of a login at an identity provider or in a directory. */
  readonly loginId?: string | undefined;
  /** The identity provider or directory of that login. */
  readonly provider?: string | undefined;
}

/** One request of a browser to the page of its interaction. */
export interface FactorRequest {
  readonly request: Request;
  readonly response: Response;
  readonly interaction: Interaction;
  readonly form: LoginForm;
}

/** The step between the first factor and the end of the login. Every method sends the response. */
export interface SecondFactorStep {
  /** Goes on after the first factor: to the client, or to the page of the second factor. */
  begin(at: Omit<FactorRequest, 'form'>, first: FirstFactor): Promise<void>;
  /** Shows the page of the second factor; false, without a response, if the interaction is not at this step. */
  show(at: FactorRequest): Promise<boolean>;
  /** The form of the login page with the login by a passkey, if users can have passkeys. */
  withPasskeyLogin(at: Pick<FactorRequest, 'request' | 'interaction' | 'form'>): Promise<LoginForm>;
  /** Receives a form of these pages. */
  submit(at: FactorRequest, decision: FactorDecision, body: URLSearchParams): Promise<void>;
}

/** What the step uses. */
export interface SecondFactorStepDeps {
  readonly interactions: () => Interactions;
  readonly accounts: Pick<AccountDirectory, 'find'>;
  readonly clients: ClientDirectory;
  readonly requiredAcr: RequiredAcr;
  readonly pending: PendingLogins;
  readonly factors: FactorStore;
  readonly own: OwnFactors;
  readonly checks: FactorChecks;
  /** Undefined if users cannot have passkeys. */
  readonly passkeys: Passkeys | undefined;
  readonly security: SecurityLog;
  readonly history: Pick<LoginHistory, 'note'>;
  readonly records: Pick<LoginRecords, 'succeeded'>;
  readonly goOn: (response: Response, address: string) => void;
}
