import LoaderCircle from 'lucide-react/icons/loader-circle';

export function Spinner() {
  return <LoaderCircle aria-hidden="true" size={20} className="shrink-0 animate-spin" />;
}
