import { Box } from '@mantine/core';
import { Component, type ReactNode } from 'react';
import { ErrorAlert } from './pending.tsx';

interface ErrorBoundaryProps {
  readonly children: ReactNode;
}

interface State {
  readonly error: unknown;
  readonly hasFailed: boolean;
}

/** Shows an error of rendering instead of an empty page. */
export class ErrorBoundary extends Component<ErrorBoundaryProps, State> {
  override state: State = { error: undefined, hasFailed: false };

  static getDerivedStateFromError(error: unknown): State {
    return { error, hasFailed: true };
  }

  override render(): ReactNode {
    const { error, hasFailed } = this.state;
    if (!hasFailed) return this.props.children;
    return (
      <Box maw={960} mx="auto" px="md" py="xl">
        <ErrorAlert error={error} onRetry={() => this.setState({ error: undefined, hasFailed: false })} />
      </Box>
    );
  }
}
