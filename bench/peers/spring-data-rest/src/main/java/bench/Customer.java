package bench;

import jakarta.persistence.Entity;
import jakarta.persistence.Table;

/** The getters are what a lazy reference loads its row by. */
@Entity
@Table(schema = "sales", name = "customer")
public class Customer extends Audited {
  public String name;
  public String email;

  public String getName() {
    return name;
  }

  public String getEmail() {
    return email;
  }
}
