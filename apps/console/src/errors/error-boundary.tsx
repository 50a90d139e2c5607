import { Box } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { ErrorAlert } from './pending.tsx';

interface ErrorBoundaryProps {
  /** Shown instead if the children fail; by default the error as a page, with a retry. */
  readonly fallback?: (error: unknown) => ReactNode;
  readonly children: ReactNode;
}

interface State {
  readonly failure: { readonly error: unknown } | undefined;
}

/** Shows an error of rendering instead of an empty page; it ends with the part that has failed. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { failure: undefined };

  static getDerivedStateFromError(error: unknown): State {
    return { failure: { error } };
  }

  override render(): ReactNode {
    const { failure } = this.state;
    const { fallback, children } = this.props;
    if (failure === undefined) return children;
    return (
      fallback?.(failure.error) ?? (
        <Box maw={960} mx="auto" px="md" py="xl">
          <ErrorAlert error={failure.error} onRetry={() => this.setState({ failure: undefined })} />
        </Box>
      )
    );
  }
}
