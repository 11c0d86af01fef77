// The box `keep` of a form that signs in.
export const KeepSignedIn = () => (
  <>
    <label class="check" for="keep">
      <input id="keep" name="keep" type="checkbox" aria-describedby="keep-hint" />
      Keep me signed in on this computer
    </label>
    <p id="keep-hint" class="quiet small">
      For 30 days. Otherwise you are signed out when you close the browser, and after a day.
    </p>
  </>
)
