import { type UseMutationOptions, type UseMutationResult, useMutation } from '@tanstack/react-query';
import { errorText } from '../api/error-text.ts';
import { text } from '../i18n/i18n.ts';
import { notify } from '../ui/overlay/popups.ts';

/** Says in a popup why a call failed, in the language of the page. */
export function showError(error: unknown): void {
  void notify(text(errorText(error)));
}

interface ActionOptions<Result, Input>
  extends Pick<UseMutationOptions<Result, Error, Input>, 'onMutate' | 'onSuccess' | 'onSettled'> {
  /** True when the page itself shows this error, for example at a field; any other one is shown in a popup. */
  onError?: (error: Error) => boolean | undefined;
}

/** Something that the user does with one press. Its error is always shown. */
export function useAction<Result, Input = void>(
  act: (input: Input) => Promise<Result>,
  { onError, ...options }: ActionOptions<Result, Input> = {},
): UseMutationResult<Result, Error, Input> {
  return useMutation({
    ...options,
    mutationFn: act,
    onError: (error) => {
      if (!onError?.(error)) showError(error);
    },
  });
}
