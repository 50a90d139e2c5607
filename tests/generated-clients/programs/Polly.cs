// The generated code names these types of a package for retries, which is used only where a policy is set. None is.
namespace Polly
{
    using System;
    using System.Threading.Tasks;

    public enum OutcomeType { Successful, Failure }

    public class PolicyResult<T>
    {
        public OutcomeType Outcome { get; }
        public T Result { get; }
        public Exception FinalException { get; }
    }

    public interface ISyncPolicy<T> { PolicyResult<T> ExecuteAndCapture(Func<T> action); }

    public interface IAsyncPolicy<T> { Task<PolicyResult<T>> ExecuteAndCaptureAsync(Func<Task<T>> action); }
}
