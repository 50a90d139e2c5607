import type { Client, Input } from '@lintel/client';
import { type UseMutationResult, useMutation } from '@tanstack/react-query';
import { useClient } from '../model/lintel-provider.ts';
import type { MethodName, MethodTypes, ServiceName } from '../register.ts';

/** A service method, which `mutate` calls with its parameters. */
export function useService<S extends ServiceName, M extends MethodName<S>>(
  service: S,
  method: M,
): UseMutationResult<MethodTypes<S, M>['result'], Error, Input<MethodTypes<S, M>['parameters']>> {
  const client = useClient() as unknown as Client;
  return useMutation({ mutationFn: (parameters: object) => client.call(service, method, parameters) });
}
