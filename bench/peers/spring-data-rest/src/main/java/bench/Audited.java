package bench;

import jakarta.persistence.Column;
import jakarta.persistence.EntityListeners;
import jakarta.persistence.GeneratedValue;
import jakarta.persistence.GenerationType;
import jakarta.persistence.Id;
import jakarta.persistence.MappedSuperclass;
import jakarta.persistence.Version;
import java.time.LocalDateTime;
import java.util.UUID;
import org.springframework.data.annotation.CreatedBy;
import org.springframework.data.annotation.CreatedDate;
import org.springframework.data.annotation.LastModifiedBy;
import org.springframework.data.annotation.LastModifiedDate;
import org.springframework.data.jpa.domain.support.AuditingEntityListener;

@MappedSuperclass
@EntityListeners(AuditingEntityListener.class)
public abstract class Audited {
  @Id
  @GeneratedValue(strategy = GenerationType.UUID)
  public UUID id;

  @Version
  public Integer version;

  @CreatedDate
  @Column(name = "created_date", updatable = false)
  public LocalDateTime createdDate;

  @CreatedBy
  @Column(name = "created_by", updatable = false)
  public String createdBy;

  @LastModifiedDate
  @Column(name = "last_modified_date")
  public LocalDateTime lastModifiedDate;

  @LastModifiedBy
  @Column(name = "last_modified_by")
  public String lastModifiedBy;

  public UUID getId() {
    return id;
  }
}
