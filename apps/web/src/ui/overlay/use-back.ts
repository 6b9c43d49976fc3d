import { useNavigate } from '../../router/index.ts';

/** Goes to the previous page; a user who came from another site has none of ours and gets the fallback. */
export function useBack(otherwise: string): () => void {
  const navigate = useNavigate();
  return () => {
    // The router stores the index of its pages here.
    const { index = 0 } = (history.state ?? {}) as { index?: number };
    void (index > 0 ? navigate(-1) : navigate(otherwise));
  };
}
