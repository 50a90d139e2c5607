import { ErrorAlert } from '../errors/error-alert.tsx';
import { Waiting } from './waiting.tsx';

interface PendingProps {
  /** Null while the content is loaded. */
  readonly error: unknown;
  readonly onRetry?: () => unknown;
}

/** What a page shows instead of content that is being loaded, or could not be. */
export const Pending = ({ error, onRetry }: PendingProps) =>
  error === null ? <Waiting /> : <ErrorAlert error={error} onRetry={onRetry && (() => void onRetry())} />;
