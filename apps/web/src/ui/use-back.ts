import { useNavigate } from '../router/index.ts';

/** To the page before this one; whoever came from elsewhere has none of ours behind them and gets the other. */
export function useBack(otherwise: string): () => void {
  const navigate = useNavigate();
  return () => {
    // The router counts its own pages here.
    const { index = 0 } = (history.state ?? {}) as { index?: number };
    void (index > 0 ? navigate(-1) : navigate(otherwise));
  };
}
